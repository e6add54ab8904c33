import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { playerStates } from '../../../shared/domain/players/player-state.ts'
import { acquireLease } from '../../../shared/domain/worlds/leases/acquire-lease.ts'
import { leaseRecords } from '../../../shared/domain/worlds/leases/lease-record.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { readLeaseHolder } from '../../../shared/platform/process/lease-holder.ts'
import { createLmdbStore } from '../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { openServices } from '../../../shared/services/services.ts'
import { describeDynamo } from '../../support/dynamodb/dynamodb.ts'
import { back, there, useHouse, withinMs } from '../../support/migrate/migration-fixture.ts'
import { runMigration } from '../../support/migrate/migration-run.ts'
import { silentLog } from '../../support/time/silent-log.ts'

describeDynamo('npm run migrate refuses', () => {
  const { house, empty, environment, tableStore } = useHouse({ radius: 1, players: 2, saves: 1 })

  /** Simulates a running node by the lock of this machine. Its record would need the store that the migration has open. */
  const runNode = async () => {
    const lockPath = join(house(), 'worlds', 'default.lease')
    const options = {
      store: createMemoryStore(),
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
      worldName: 'default',
      lockPath,
    }
    return acquireLease({ ...options, holder: await readLeaseHolder(house()) })
  }

  /** A node that ran once has left its record. */
  const rememberNode = async () => {
    const store = createLmdbStore({ path: join(house(), 'records'), ids: systemIds })
    await store.put(leaseRecords, 'default', { fence: 3 })
    await store.close()
  }

  it(
    'a world that a node runs, and keeps nodes from it during the migration',
    async () => {
      await rememberNode()
      const node = await runNode()
      const refused = await runMigration(there, environment())
      expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining('"default" is held by') })
      await node.release()
      const started: Promise<unknown>[] = []
      const moved = await runMigration(there, environment(), {
        onProgress: (what) => {
          if (what === 'Moving columns of default') started.push(runNode().then(() => 'started', String))
        },
      })
      expect(moved.exit).toBe(0)
      expect(await Promise.all(started)).toEqual(started.map(() => expect.stringContaining('is held by')))
      expect(started.length).toBeGreaterThan(0)
    },
    withinMs,
  )

  it(
    'a target with a running node, and waits until the lease of a killed one has expired',
    async () => {
      const holder = { leaseId: systemIds.uuid(), name: 'host-9, process 9', machineId: 'other', pid: 9, ttlMs: 6000 }
      let isAlive = true
      const renew = async (): Promise<void> => {
        while (isAlive) {
          await tableStore().put(leaseRecords, 'default', { fence: 5, holder })
          await sleep(100)
        }
      }
      await tableStore().put(leaseRecords, 'default', { fence: 5, holder })
      const renewing = renew()
      const refused = await runMigration(there, environment())
      isAlive = false
      await renewing
      expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining('held by host-9, process 9') })
      expect((await runMigration(there, environment())).exit).toBe(0)
      expect((await tableStore().get(leaseRecords, 'default'))?.value).toEqual({ fence: 6 })
    },
    withinMs,
  )

  it(
    'a target with other data, and changes nothing there',
    async () => {
      await tableStore().put(playerStates, 'somebody', { disabledBySelf: [], disabledByOthers: [] })
      expect(await runMigration(there, environment())).toMatchObject({
        exit: 2,
        err: expect.stringMatching(/has other data already \(player states\).*DYNAMODB_TABLE_PREFIX/),
      })
      expect((await tableStore().list(leaseRecords)).records).toEqual([])
      // The target is a data folder with starter files.
      expect(await runMigration(back, environment())).toMatchObject({
        exit: 2,
        err: expect.stringMatching(/has other data already \(accounts, .*DATA_DIR/),
      })
    },
    withinMs,
  )

  it(
    'the target of another or a finished migration, and prevents a start on partial data',
    async () => {
      const half = await runMigration(there, environment(), { stopAfter: 3 })
      expect(half.exit).toBe(130)
      const server = openServices(parseEnvironment({ ...environment(), STORAGE: 'dynamodb' }, 'task'), silentLog)
      await expect(server).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('npm run migrate') })

      const other = createLmdbStore({ path: join(empty(), 'records'), ids: systemIds })
      await other.close()
      const elsewhere = await runMigration(there, { ...environment(), DATA_DIR: empty() })
      expect(elsewhere).toMatchObject({ exit: 2, err: expect.stringContaining('from another source') })

      expect((await runMigration(there, environment())).exit).toBe(0)
      expect(await runMigration(there, environment())).toMatchObject({ exit: 2, err: expect.stringContaining('ended at') })
      const services = await openServices(parseEnvironment({ ...environment(), STORAGE: 'dynamodb' }, 'task'), silentLog)
      await services.close()
    },
    withinMs,
  )

  it(
    'a source with an unfinished migration, to move, compare or count, and creates no target',
    async () => {
      expect((await runMigration(there, environment(), { stopAfter: 3 })).exit).toBe(130)
      const into = join(empty(), 'back')
      const refusal = { exit: 2, err: expect.stringMatching(/DynamoDB at .* is unfinished/) }
      expect(await runMigration(back, { ...environment(), DATA_DIR: into })).toMatchObject(refusal)
      expect(await readdir(empty())).toEqual([])
      for (const mode of ['--verify', '--dry-run'])
        expect(await runMigration(`${back} ${mode}`, environment())).toMatchObject(refusal)
      // The fix is to complete the unfinished migration.
      expect((await runMigration(there, environment())).exit).toBe(0)
      expect((await runMigration(back, { ...environment(), DATA_DIR: into })).exit).toBe(0)
    },
    withinMs,
  )

  it('a data folder with an interrupted restore, as a source and as a target', async () => {
    const cut = join(empty(), 'cut')
    await mkdir(join(cut, '.restoring', 'old'), { recursive: true })
    for (const args of [there, `${there} --dry-run`, back])
      expect(await runMigration(args, { ...environment(), DATA_DIR: cut })).toMatchObject({
        exit: 2,
        err: expect.stringContaining('was interrupted'),
      })
    expect(await readdir(cut)).toEqual(['.restoring'])
  })

  it(
    'accounts that the target cannot store, each by its email, and moves the others',
    async () => {
      const dataDir = join(empty(), 'long-emails')
      const usersFile = join(dataDir, 'config', 'users.yaml')
      // 738, 474 and 312 bytes; the limit of DynamoDB is 468.
      const emails = [242, 154, 100].map((count) => `${'字'.repeat(count)}@example.com`)
      const entries = emails.map(
        (email, n) =>
          `  - { email: "${email}", playerId: 00000000-0000-4000-8000-00000000000${n}, displayName: p${n}, groups: [player], createdAt: "2025-12-01T00:00:00.000Z" }\n`,
      )
      await mkdir(join(dataDir, 'config'), { recursive: true })
      await writeFile(usersFile, `users:\n${entries.join('')}`)
      const embedded = await openServices(parseEnvironment({ DATA_DIR: dataDir }, 'task'), silentLog)
      for (const [n, email] of emails.entries())
        expect(await embedded.accounts.signUp(email, 'request-7')).toMatchObject({ email, displayName: `p${n}` })
      await embedded.close()

      const source = { ...environment(), DATA_DIR: dataDir }
      const refused = await runMigration(there, source)
      expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining('2 accounts cannot be moved') })
      expect(emails.map((email) => refused.err.includes(`  ${email}: `))).toEqual([true, true, false])
      await writeFile(usersFile, `users:\n${entries[2]}`)
      expect(await runMigration(there, source)).toMatchObject({ exit: 0 })
    },
    withinMs,
  )

  it('missing tables and folders, and invalid usage', async () => {
    const noTables = await runMigration(there, { ...environment(), DYNAMODB_TABLE_PREFIX: 'nothing-' })
    expect(noTables).toMatchObject({ exit: 2, err: expect.stringContaining('npm run tables') })
    const noFolder = await runMigration(there, { ...environment(), DATA_DIR: join(empty(), 'nothing') })
    expect(noFolder).toMatchObject({ exit: 2, err: expect.stringContaining('no data folder at DATA_DIR') })
    const noServer = await runMigration(there, { ...environment(), DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' })
    expect(noServer).toMatchObject({ exit: 2, err: expect.stringContaining('DynamoDB does not answer. Nothing is lost') })
    for (const args of ['', '--from embedded', '--from embedded --to embedded', '--from x --to y', `${there} --oops`])
      expect(await runMigration(args, environment())).toMatchObject({ exit: 1, err: expect.stringContaining('npm run migrate') })
    expect(await runMigration(`${there} --verify --dry-run`, environment())).toMatchObject({ exit: 1 })
    expect(await runMigration('--help', environment())).toMatchObject({ exit: 0, out: expect.stringContaining('--verify') })
  })
})
