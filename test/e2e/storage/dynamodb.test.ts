import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createStoreConfigFiles } from '../../../shared/domain/configs/texts/config-files-store.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import {
  createTestTarget,
  type DynamoServer,
  describeDynamo,
  openDynamo,
  openDynamoForTests,
} from '../../support/dynamodb/dynamodb.ts'
import { type DynamoProxy, startDynamoProxy } from '../../support/dynamodb/dynamodb-proxy.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { createBuilder } from '../support/builder.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()

describeDynamo('everything on DynamoDB', () => {
  let dynamo: DynamoServer
  let proxy: DynamoProxy
  let variables: Record<string, string>
  let server: Server

  /** Configs as an administrator would save them: level ground, quick hashes. */
  const seedConfigs = async (target: ReturnType<typeof createTestTarget>) => {
    const client = await openDynamo(dynamo.endpoint, { target })
    const store = createDynamoStore({ dynamo: client, ids: systemIds })
    const files = createStoreConfigFiles({ store, readBundled: async () => '', clock: systemClock, ids: systemIds })
    const folder = join(await stage.createDataDir(), 'config')
    for (const name of ['groups.yaml', 'server.yaml', 'worldgen.yaml'])
      await files.write(name, await readFile(join(folder, name), 'utf8'), { savedBy: 'operator@example.com' })
    client.close()
  }

  beforeAll(async () => {
    dynamo = await openDynamoForTests()
    proxy = await startDynamoProxy(dynamo.endpoint)
    const target = createTestTarget(dynamo.endpoint)
    const place = { DYNAMODB_ENDPOINT: dynamo.endpoint, DYNAMODB_TABLE_PREFIX: target.tablePrefix }
    const tables = stage.launch('tools/tables.ts', [], place)
    expect(await tables.ended).toBe(0)
    await seedConfigs(target)
    const dataDir = await stage.createEmptyDir()
    variables = {
      ...place,
      DYNAMODB_ENDPOINT: proxy.endpoint,
      STORAGE: 'dynamodb',
      DYNAMODB_PATIENCE_MS: '6000',
      DATA_DIR: dataDir,
    }
    server = await stage.start(variables)
  })
  afterAll(async () => {
    await stage.close()
    await proxy?.close()
    await dynamo?.stop()
  })

  it('survives kill -9: accounts, zones, blocks and history', async () => {
    const boss = await stage.claim(server)
    const builder = createBuilder(await stage.enter(server.url, await stage.signIn(server.url, 'builder@example.com')))
    const places = builder.places.slice(0, 20)
    await builder.look(places)
    expect(await builder.edit(places.map((place) => ({ ...place, type: 'planks' })))).toEqual({ ok: true, reason: '' })
    const zone = { name: 'Town', yMin: 0, yMax: 60, chunks: [{ cx: 0, cz: 0 }] }
    const created = await ask(server.url, 'POST /api/admin/instances', { token: boss, body: zone })
    expect(created.status).toBe(201)
    // Each sign-in updates the last-seen time of an account.
    const listAccounts = async (token: string) => {
      const { body } = await ask(server.url, 'GET /api/admin/users', { token })
      return (body.users as Record<string, unknown>[]).map(({ lastSeenAt: _lastSeenAt, ...account }) => account)
    }
    const before = await listAccounts(boss)
    server.signal('SIGKILL')
    expect(await server.ended).toBe('SIGKILL')

    server = await stage.start(variables)
    const token = await stage.signIn(server.url, administrator.email, administrator.password)
    expect(await listAccounts(token)).toEqual(before)
    expect((await ask(server.url, `GET /api/admin/instances/${String(created.body.id)}`, { token })).body).toMatchObject(zone)
    const audit = await ask(server.url, `GET /api/admin/audit?target=${encodeURIComponent(administrator.email)}`, { token })
    expect(audit.body.entries).toHaveLength(1)
    const again = createBuilder(await stage.enter(server.url, await stage.signIn(server.url, 'builder@example.com')))
    expect(await again.look(places)).toEqual(places.map(() => 'planks'))
    expect((await ask(server.url, 'GET /readyz')).body).toMatchObject({ ready: true })
  })

  it('supports grants with an end, bans, and undo of a deleted account and zone', async () => {
    const token = await stage.signIn(server.url, administrator.email, administrator.password)
    const say = (what: string, body?: object) => ask(server.url, what, { token, ...(body && { body }) })
    const email = 'friend@example.com'
    const friend = await say('POST /api/admin/users', { email, password: 'the password of mine', groups: ['player'] })
    expect(friend.status).toBe(201)
    const until = new Date(Date.now() + 10_000).toISOString()
    expect((await say(`POST /api/admin/users/${email}/grants`, { group: 'builder', until })).status).toBe(201)
    const may = async () => (await say(`GET /api/admin/explain?email=${email}&permission=zone.build`)).body.allowed
    expect(await may()).toBe(true)
    await waitFor(async () => (await may()) === false)
    const banned = await say('POST /api/admin/sanctions', { kind: 'ban', email, reason: 'for a test' })
    expect(banned.status).toBe(201)
    const signIn = () => ask(server.url, 'POST /auth/login', { body: { email, password: 'the password of mine' } })
    expect((await signIn()).body).toMatchObject({ type: '/problems/account-banned', reason: 'for a test' })
    const takeBack = async (action: string) => {
      const { body } = await say('GET /api/admin/audit?limit=50')
      const entry = (body.entries as { id: string; action: string }[]).find((one) => one.action === action)
      return say(`POST /api/admin/audit/${entry?.id}/undo`)
    }
    expect((await takeBack('sanction.create')).status).toBe(200)
    const { playerId } = (await signIn()).body
    expect((await say(`DELETE /api/admin/users/${email}`)).status).toBe(204)
    expect((await takeBack('account.delete')).status).toBe(200)
    expect((await signIn()).body).toMatchObject({ playerId })
    const zone = { name: 'Gone', yMin: 0, yMax: 60, chunks: [{ cx: 1, cz: 0 }] }
    const { id } = (await say('POST /api/admin/instances', zone)).body
    expect((await say(`DELETE /api/admin/instances/${id}`)).status).toBe(204)
    expect((await takeBack('zone.delete')).status).toBe(200)
    expect((await say(`GET /api/admin/instances/${id}`)).body).toMatchObject(zone)
  })

  it('stores a saved config with its earlier revision', async () => {
    const token = await stage.signIn(server.url, administrator.email, administrator.password)
    const { text, headers } = await ask(server.url, 'GET /api/admin/configs/server.yaml', { token })
    const saved = await ask(server.url, 'PUT /api/admin/configs/server.yaml', {
      token,
      yaml: `${text}# by the boss\n`,
      headers: { 'If-Match': headers.get('etag') ?? '' },
    })
    expect(saved.status).toBe(200)
    expect((await ask(server.url, 'GET /api/admin/configs/server.yaml', { token })).text).toContain('# by the boss')
    const revisions = await ask(server.url, 'GET /api/admin/config-revisions/server.yaml', { token })
    expect(JSON.parse(revisions.text)).toMatchObject([{ savedBy: 'operator@example.com' }, { savedBy: 'default' }])
  })

  it('returns 503 with Retry-After while DynamoDB does not answer, and 200 afterwards', async () => {
    const token = await stage.signIn(server.url, administrator.email, administrator.password)
    proxy.faults.push(...Array<'silent'>(200).fill('silent'))
    const away = await ask(server.url, 'GET /api/admin/users', { token })
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '1'])
    proxy.faults.length = 0
    await waitFor(async () => (await ask(server.url, 'GET /api/admin/users', { token })).status === 200)
    expect(server.isRunning()).toBe(true)
  })
})
