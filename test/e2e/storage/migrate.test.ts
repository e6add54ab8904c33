import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createTestTarget, type DynamoServer, describeDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask, signIn } from '../support/api.ts'
import type { Variables } from '../support/child.ts'
import { administrator, createStage, quickConfig, type Server } from '../support/stage.ts'

/** Every step starts a process. */
const withinMs = 400_000
const radius = 14
const square = (2 * radius + 1) ** 2

describeDynamo('npm run migrate', () => {
  const stage = createStage()
  let server: DynamoServer
  let dataDir: string
  let variables: Variables
  beforeAll(async () => {
    server = await openDynamoForTests()
    dataDir = await stage.createDataDir()
    const { tablePrefix } = createTestTarget(server.endpoint)
    variables = { DATA_DIR: dataDir, DYNAMODB_ENDPOINT: server.endpoint, DYNAMODB_TABLE_PREFIX: tablePrefix }
  })
  afterAll(async () => {
    await stage.close()
    await server.stop()
  })

  const run = async (script: string, ...args: string[]) => {
    const child = stage.launch(script, args, variables)
    return { exit: await child.ended, out: child.stdout(), err: child.stderr() }
  }

  /** The state of a server as an administrator and a player see it. */
  const look = async (running: Server) => {
    const token = await signIn(running.url, administrator.email, administrator.password)
    const get = async (path: string) => {
      const { status, text } = await ask(running.url, `GET ${path}`, { token })
      expect([path, status]).toEqual([path, 200])
      return text
    }
    const zones = await get('/api/admin/instances')
    const [, id] = /"id":"([^"]+)"/.exec(zones) ?? []
    const { worlds }: { worlds?: object[] } = JSON.parse(await get('/api/admin/worlds'))
    return {
      zones,
      blocks: await get(`/api/admin/instances/${id}/blocks`),
      // Each sign-in updates the last-seen time of an account.
      users: (await get('/api/admin/users')).replace(/,"lastSeenAt":"[^"]*"/g, ''),
      server: await get('/api/admin/configs/server.yaml'),
      revisions: await get('/api/admin/config-revisions/server.yaml'),
      audit: (await get('/api/admin/audit?limit=200')).replaceAll(/"nextCursor":"[^"]*"/g, ''),
      worlds: worlds?.map((world) => ({ ...world, sizeBytes: 0 })),
    }
  }

  const liveABit = async (running: Server): Promise<void> => {
    const token = await stage.claim(running)
    const options = { token }
    const zone = { name: 'market', yMin: 60, yMax: 66, chunks: [{ cx: 0, cz: 0 }] }
    expect((await ask(running.url, 'POST /api/admin/instances', { ...options, body: zone })).status).toBe(201)
    const { status } = await ask(running.url, 'PUT /api/admin/configs/server.yaml', {
      ...options,
      yaml: `# saved\n${quickConfig}`,
    })
    expect(status).toBe(200)
  }

  it(
    'continues after kill -9 at several moments, and the server on DynamoDB has the same data',
    async () => {
      expect((await run('tools/world.ts', 'create', 'default')).exit).toBe(0)
      expect((await run('tools/world.ts', 'pregen', 'default', '--radius', String(radius))).exit).toBe(0)
      expect((await run('tools/tables.ts')).exit).toBe(0)
      const before = await stage.start({ DATA_DIR: dataDir })
      await liveABit(before)
      expect(await run('tools/migrate.ts', '--from', 'embedded', '--to', 'dynamodb')).toMatchObject({
        exit: 2,
        err: expect.stringContaining('is held by'),
      })
      const seen = await look(before)
      before.signal('SIGTERM')
      await before.ended
      await appendFile(join(dataDir, 'config', 'users.yaml'), '# not moved\n')

      for (const moment of [/Moving accounts/, /Moving columns of default: \d/, /Moving columns of default: [3-8]\d\d/]) {
        const child = stage.launch('tools/migrate.ts', ['--from', 'embedded', '--to', 'dynamodb'], variables)
        await waitFor(() => moment.test(child.stderr()) || !child.isRunning())
        child.signal('SIGKILL')
        expect(await child.ended).toBe('SIGKILL')
      }
      const ended = await run('tools/migrate.ts', '--from', 'embedded', '--to', 'dynamodb')
      expect(ended).toMatchObject({ exit: 0, out: expect.stringMatching(/^Continuing migration .*\.\n/) })
      expect(ended.out).toMatch(new RegExp(`columns of default +${square.toLocaleString('en-US')} .*same`))

      const after = await stage.start({ ...variables, STORAGE: 'dynamodb', DATA_DIR: await stage.createEmptyDir() })
      expect(await look(after)).toEqual(seen)
      const player = await stage.join(after.url, await signIn(after.url, administrator.email, administrator.password))
      expect(player.welcome).toBeDefined()

      variables = { ...variables, DATA_DIR: join(await stage.createEmptyDir(), 'data') }
      expect(await run('tools/migrate.ts', '--from', 'dynamodb', '--to', 'embedded')).toMatchObject({
        exit: 2,
        err: expect.stringContaining('is held by'),
      })
    },
    withinMs,
  )
})
