import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { worldRecords } from '../../../shared/domain/worlds/world.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { openServices } from '../../../shared/services/services.ts'
import type { Services } from '../../../shared/services/wire-services.ts'
import { describeDynamo } from '../../support/dynamodb/dynamodb.ts'
import { startDynamoProxy } from '../../support/dynamodb/dynamodb-proxy.ts'
import { readHouse } from '../../support/migrate/house-contents.ts'
import { there, useHouse, withinMs } from '../../support/migrate/migration-fixture.ts'
import { runMigration } from '../../support/migrate/migration-run.ts'
import { silentLog } from '../../support/time/silent-log.ts'

const withServices = async (environment: Record<string, string>, work: (services: Services) => Promise<unknown>) => {
  const services = await openServices(parseEnvironment(environment, 'task'), silentLog)
  try {
    await work(services)
  } finally {
    await services.close()
  }
}

const defaultWorld = async ({ store }: Services) => {
  const world = (await store.get(worldRecords, 'default'))?.value
  if (world === undefined) throw new Error('the world is missing')
  return world
}

describeDynamo('npm run migrate', () => {
  const { house, empty, environment } = useHouse({ radius: 1, players: 6, saves: 2 })
  const readTarget = () => readHouse({ ...environment(), STORAGE: 'dynamodb', DATA_DIR: empty() })

  it(
    'compares everything again after a run with differences, and lists later ones by --verify',
    async () => {
      expect((await runMigration(there, environment(), { stopAfter: 12 })).exit).toBe(130)
      await withServices({ DATA_DIR: house() }, async (services) => {
        await services.accountStore.change('player4@example.com', (current) => ({
          next: current && { ...current, displayName: 'late' },
          result: undefined,
        }))
        await services.chunks.putMany(await defaultWorld(services), [{ cx: 1, cz: 1, bytes: Buffer.from('late') }], 9)
      })
      const users = join(house(), 'config', 'users.yaml')
      const late = readFileSync(users, 'utf8').replace('displayName: late', 'displayName: later')
      const differing = await runMigration(there, environment(), {
        onProgress: (what) => {
          if (what.startsWith('Checking config')) writeFileSync(users, late)
        },
      })
      expect(differing).toMatchObject({
        exit: 3,
        out: expect.stringMatching(/accounts .*DIFFERENT\n(.*\n)*.*run the same command again/),
      })
      expect((await runMigration(there, environment())).exit).toBe(0)
      expect(await runMigration(`${there} --verify`, environment())).toMatchObject({
        exit: 0,
        out: expect.stringContaining('Both places have the same data.'),
      })
      expect(await readTarget()).toEqual(await readHouse({ DATA_DIR: house() }))

      await withServices({ DATA_DIR: house() }, async (services) => {
        const { accountStore, chunks, configFiles } = services
        await accountStore.change('player1@example.com', () => ({ next: undefined, result: undefined }))
        await accountStore.change('player2@example.com', (current) => ({
          next: current && { ...current, displayName: 'somebody else' },
          result: undefined,
        }))
        await configFiles.write('groups.yaml', `${(await configFiles.read('groups.yaml')).text}# more\n`, {
          savedBy: 'x@example.com',
        })
        await chunks.putMany(await defaultWorld(services), [{ cx: 0, cz: 0, bytes: Buffer.from('changed') }], 9)
      })
      const compared = await runMigration(`${there} --verify`, environment())
      expect(compared).toMatchObject({ exit: 3, out: expect.stringContaining('The two places differ.') })
      const different = compared.out.split('\n').filter((line) => line.endsWith('DIFFERENT'))
      expect(different.map((line) => line.split(/ {2}/)[0])).toEqual([
        'config revisions',
        'config texts',
        'accounts',
        'columns of default',
      ])
    },
    withinMs,
  )

  it(
    'reports with --verify a target without the history of blocks, and with a part of it',
    async () => {
      expect((await runMigration(there, environment())).exit).toBe(0)
      const inTarget = { ...environment(), STORAGE: 'dynamodb', DATA_DIR: empty() }
      await withServices(inTarget, async (services) => {
        const world = await defaultWorld(services)
        const [first] = await services.chunks.listSide(world, 'history/page/')
        await services.chunks.putMany(world, [], 9, [{ key: first?.key ?? '', bytes: undefined }])
      })
      const compared = await runMigration(`${there} --verify`, environment())
      const different = compared.out.split('\n').filter((line) => line.endsWith('DIFFERENT'))
      expect(compared.exit).toBe(3)
      expect(different).toEqual([expect.stringMatching(/^history of default +43 +42 /)])
    },
    withinMs,
  )

  it(
    'makes the history of blocks in the target that of the source after a stop in it',
    async () => {
      const stopped = await runMigration(there, environment(), {
        onProgress: (what) => {
          if (what === 'Moving history of default') throw new Error('killed')
        },
      })
      expect(stopped.exit).toBe(2)
      await withServices({ DATA_DIR: house() }, async (services) => {
        const world = await defaultWorld(services)
        const [other] = await services.chunks.getSide(world, ['history/page/000000000004'])
        await services.chunks.putMany(world, [], 9, [
          { key: 'history/page/000000000002', bytes: undefined },
          { key: 'history/page/000000000003', bytes: other },
        ])
      })
      expect((await runMigration(there, environment())).exit).toBe(0)
      expect(await readTarget()).toEqual(await readHouse({ DATA_DIR: house() }))
    },
    withinMs,
  )

  it(
    'retries while it is throttled, and exits with advice when DynamoDB stays unavailable',
    async () => {
      const proxy = await startDynamoProxy(environment().DYNAMODB_ENDPOINT ?? '')
      const through = { ...environment(), DYNAMODB_ENDPOINT: proxy.endpoint }
      let isGone = false
      const gone = await runMigration(there, through, {
        onProgress: (what) => {
          if (what === 'Moving accounts') proxy.faults.push('ThrottlingException', 'TransactionConflict', 'ThrottlingException')
          if (what !== 'Moving columns of default' || isGone) return
          isGone = true
          proxy.faults.push(...Array.from({ length: 5000 }, () => 'ThrottlingException' as const))
        },
      })
      expect(gone).toMatchObject({ exit: 2, err: expect.stringContaining('it continues from here') })
      proxy.faults.length = 0
      expect(await runMigration(there, through)).toMatchObject({ exit: 0 })
      await proxy.close()
    },
    withinMs,
  )
})
