import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { accountRoutes } from '../../../functions/accounts/routes.ts'
import { allRoutes } from '../../../functions/all-routes.ts'
import { createApp } from '../../../functions/app.ts'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { backupRoutes } from '../../../functions/backups/routes.ts'
import { classRoutes } from '../../../functions/classes/routes.ts'
import { configRoutes } from '../../../functions/configs/routes.ts'
import { createHttpDeps } from '../../../functions/deps.ts'
import type { Route } from '../../../functions/http/route.ts'
import { jobRoutes } from '../../../functions/jobs/routes.ts'
import { liveRoutes } from '../../../functions/live/routes.ts'
import { moduleRoutes } from '../../../functions/modules/routes.ts'
import { sanctionRoutes } from '../../../functions/sanctions/routes.ts'
import { createServiceRoutes } from '../../../functions/service/routes.ts'
import { streamRoutes } from '../../../functions/streams/routes.ts'
import { undoRoutes } from '../../../functions/undo/routes.ts'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import { zoneRoutes } from '../../../functions/zones/routes.ts'
// @ts-expect-error a JavaScript file without types, because serverless.yml cannot load TypeScript
import { access } from '../../../infra/cloud/access.js'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { patience } from '../../e2e/support/child.ts'
import { anyDynamo, type DynamoServer, openDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { type DynamoRecorder, startDynamoRecorder } from '../../support/dynamodb/dynamodb-recorder.ts'
import type { DoorAnswer } from '../../support/http/door.ts'
import { openSocketDoor } from '../../support/http/socket-door.ts'
import { describeWhere } from '../../support/needs/guard.ts'
import { anyRedis, openRedisForTests } from '../../support/redis/redis.ts'
import { createSampleRegistry } from '../../support/worlds/chunk-samples.ts'
import { storeColumns } from '../../support/zones/listed-zone.ts'

const granted: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = access
const grantsOf = (name: string): readonly string[] =>
  Object.entries(granted[name] ?? {}).flatMap(([table, actions]) => actions.map((action) => `${table} ${action}`))

const describeBoth = describeWhere(anyRedis, anyDynamo)
const boss = { email: 'boss@example.com', password: 'the password of the boss' }

/** Every request to each function that uses its tables. `{zone}` is the first zone, `{guest}` the playerId of an account. */
const requests: Readonly<
  Record<string, { readonly routes: readonly Route[]; readonly asked: readonly (readonly [string, unknown?])[] }>
> = {
  service: {
    routes: createServiceRoutes(async () => allRoutes),
    asked: [['GET /healthz'], ['GET /readyz'], ['GET /api/openapi.json'], ['GET /.well-known/security.txt'], ['GET /nowhere']],
  },
  accounts: {
    routes: [...accountRoutes, ...sanctionRoutes, ...moduleRoutes, ...undoRoutes, ...jobRoutes, ...backupRoutes, ...liveRoutes],
    asked: [
      ['POST /api/admin/users', { email: 'new@example.com', password: 'a long password' }],
      ['GET /api/admin/users'],
      ['GET /api/admin/users?q=new'],
      ['GET /api/admin/users/new@example.com'],
      ['PUT /api/admin/users/new@example.com', { displayName: 'Newer', groups: ['admin'] }],
      ['PUT /api/admin/users/new@example.com', { password: 'another password' }],
      ['PUT /api/admin/users/new@example.com', { displayName: 'Newer', groups: ['admin'] }],
      ['DELETE /api/admin/users/new@example.com'],
      ['GET /api/admin/groups'],
      ['GET /api/admin/audit?actor=boss@example.com'],
      ...['203.0.113.1', '203.0.113.2'].map((address) => {
        const body = { kind: 'ban', address, reason: 'spam', until: '2999-01-01T00:00:00Z' }
        return ['POST /api/admin/sanctions', body] as const
      }),
      ['POST /api/admin/sanctions', { kind: 'mute', email: 'guest@example.com', reason: 'shouting' }],
      ['POST /api/admin/sanctions', { kind: 'ban', email: 'ghost@example.com', reason: 'spam' }],
      ['GET /api/admin/sanctions?email=guest@example.com&active=true'],
      ['GET /api/admin/sanctions'],
      ['DELETE /api/admin/sanctions/{sanction}'],
      ['GET /api/admin/players'],
      ['GET /api/admin/jobs'],
      ['GET /api/admin/metrics'],
      ['GET /api/admin/server'],
      ['GET /api/admin/modules'],
      ['PUT /api/admin/modules/shop/players/{guest}', { data: {} }],
      ['GET /api/admin/modules/shop/players/{guest}'],
      ['GET /api/admin/modules/shop/set-aside'],
      ['GET /api/admin/audit/{zone.delete}'],
      ['POST /api/admin/audit/{zone.delete}/undo'],
      ['POST /api/admin/audit/{config.save}/undo'],
    ],
  },
  worlds: {
    routes: worldRoutes,
    asked: [
      ['POST /api/admin/worlds', { name: 'north' }],
      ['GET /api/admin/worlds'],
      ['PUT /api/admin/worlds/north', { name: 'south' }],
      ['DELETE /api/admin/worlds/north'],
      ['GET /api/admin/worlds/north/export'],
      ['POST /api/admin/worlds/default/pregen', { radius: 1 }],
      ['GET /api/admin/worlds/default/map/0/0/0.png'],
    ],
  },
  zones: {
    routes: zoneRoutes,
    asked: [
      ['POST /api/admin/instances', { name: 'Second', yMin: 30, yMax: 40, chunks: [{ cx: 0, cz: 0 }] }],
      ['GET /api/admin/instances'],
      ['GET /api/admin/instances/{zone}'],
      ['PUT /api/admin/instances/{zone}', { name: 'Town' }],
      ['PUT /api/admin/instances/{zone}', { owner: '{guest}' }],
      ['PUT /api/admin/instances/{zone}/bounds', { yMin: 0, yMax: 20 }],
      ['PUT /api/admin/instances/{zone}/chunks', { chunks: [{ cx: 0, cz: 0 }] }],
      ['PUT /api/admin/instances/{zone}/enabled', { enabled: false }],
      ['PUT /api/admin/instances/{zone}/rules', { build: 'everyone' }],
      ['PUT /api/admin/instances/{zone}/members', ['{guest}']],
      ['PUT /api/admin/instances/{zone}/schedule', { expiresAt: '2999-01-01T00:00:00Z' }],
      ['POST /api/admin/instances/{zone}/snapshots', { name: 'Before' }],
      ['GET /api/admin/instances/{zone}/snapshots'],
      ['GET /api/admin/ws/instances/{zone}'],
      ['DELETE /api/admin/instances/{zone}'],
    ],
  },
  streams: {
    routes: streamRoutes,
    asked: [['GET /api/admin/instances/{zone}/blocks'], ['GET /api/admin/chunks/discovered']],
  },
  configs: {
    routes: configRoutes,
    asked: [
      ['GET /api/admin/configs'],
      ['GET /api/admin/config-files'],
      ['GET /api/admin/configs/groups.yaml'],
      ['PUT /api/admin/configs/groups.yaml?dryRun=true', 'groups: []\n'],
      ['PUT /api/admin/configs/groups.yaml', 'groups: []\n'],
      // The oldest of more than twenty revisions is removed.
      ...Array.from({ length: 22 }, (_, n) => ['PUT /api/admin/configs/groups.yaml', `# ${n}\ngroups: []\n`] as const),
      ['GET /api/admin/config-revisions/groups.yaml'],
      ['GET /api/admin/schemas/groups.schema.json'],
      ['POST /api/admin/reload'],
    ],
  },
  classes: { routes: classRoutes, asked: [['GET /api/classes'], ['GET /api/admin/classes'], ['GET /api/admin/skills']] },
  auth: {
    routes: authRoutes,
    asked: [
      ['GET /api/auth/config'],
      ['POST /auth/login', { email: 'fresh@example.com', password: '' }],
      ['POST /auth/login', boss],
      ['GET /auth/me'],
      ['POST /auth/renew'],
      ['POST /auth/claim', { claim: 'wrong', email: 'thief@example.com', password: 'a long password' }],
      ['POST /auth/logout'],
    ],
  },
}

describeBoth('the IAM role of a function', () => {
  let redis: Awaited<ReturnType<typeof openRedisForTests>>
  let dynamo: DynamoServer
  let recorder: DynamoRecorder
  let environment: Record<string, string>
  let token: string
  let zone: string
  let sanction: string
  let guest: string
  /** The ids of audit entries by their actions. */
  const entries = new Map<string, string>()

  beforeAll(async () => {
    redis = await openRedisForTests()
    dynamo = await openDynamoForTests()
    const tables = await openDynamo(dynamo.endpoint)
    tables.close()
    recorder = await startDynamoRecorder(dynamo.endpoint, tables.target.tablePrefix)
    environment = {
      STORAGE: 'dynamodb',
      ...patience,
      DYNAMODB_ENDPOINT: recorder.endpoint,
      DYNAMODB_TABLE_PREFIX: tables.target.tablePrefix,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'silent',
    }
    const deps = await createHttpDeps(environment)
    const actor = { email: boss.email, playerId: '00000000-0000-4000-8000-000000000000', displayName: 'boss', verified: true }
    const operator = { ...actor, rules: deps.permissions.rulesFor(['admin']), via: 'cli', requestId: 'test' } as const
    await deps.accounts.createAccount(operator, { ...boss, groups: ['admin'] })
    guest = (await deps.accounts.createAccount(operator, { email: 'guest@example.com', groups: [] })).playerId
    const ban = { kind: 'ban', email: 'guest@example.com', reason: 'spam' } as const
    sanction = (await deps.sanctions.impose(operator, ban)).id
    const world = await deps.worlds.createWorld({ name: 'default', seed: 1 })
    const column = createChunk(0, 0)
    setBlock(column, { x: 0, y: 10, z: 0 }, 2)
    await storeColumns(deps.chunks, [column], createSampleRegistry(['stone', 'soil']), world)
    const made = await deps.zones.createZone(operator, { name: 'First', yMin: 0, yMax: 20, chunks: [{ cx: 0, cz: 0 }] })
    zone = made.zone.id
    const other = await deps.zones.createZone(operator, { name: 'Gone', yMin: 50, yMax: 60, chunks: [{ cx: 0, cz: 0 }] })
    await deps.zones.removeZone(operator, other.zone.id)
    await deps.configEditor.save('modules.yaml', 'modules: { shop: {} }\n', { actor: operator })
    for (const text of ['generator: terrain-1\n', '# second\ngenerator: terrain-1\n'])
      await deps.configEditor.save('worldgen.yaml', text, { actor: operator })
    for (const { action, id } of (await deps.audit.listEntries({ limit: 50 })).entries.toReversed()) entries.set(action, id)
    token = (await deps.signIn.login(boss.email, boss.password, { address: '127.0.0.1', requestId: 'test' })).token
    await deps.close()
  }, 180_000)
  afterAll(async () => {
    await recorder.close()
    await dynamo.stop()
    await redis.stop()
  })

  const ask = async (door: Awaited<ReturnType<typeof openSocketDoor>>, what: string, body: unknown): Promise<DoorAnswer> => {
    const named = what.replace('{zone}', zone).replace('{sanction}', sanction).replace('{guest}', guest)
    const [method = '', path = ''] = named.replace(/\{([\w.]+)\}/, (all, action) => entries.get(action) ?? all).split(' ')
    const mediaType = typeof body === 'string' ? 'application/yaml' : 'application/json'
    const bytes =
      body === undefined
        ? undefined
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body).replace('{guest}', guest))
    const headers = { authorization: `Bearer ${token}`, ...(bytes === undefined ? {} : { 'content-type': mediaType }) }
    return door.send(method, path, headers, bytes)
  }

  const seen = new Map<string, readonly string[]>()

  it.each(['service', 'streams', 'accounts', 'worlds', 'configs', 'classes', 'zones', 'auth'])(
    'covers every DynamoDB call of %s',
    async (name) => {
      recorder.take()
      const { routes, asked } = requests[name] ?? { routes: [], asked: [] }
      const deps = await createHttpDeps(environment)
      const door = await openSocketDoor(createApp(routes, deps))
      const failed: string[] = []
      for (const [what, body] of asked) {
        const { status } = await ask(door, what, body)
        if (status >= 500 || (status >= 400 && !/nowhere|claim|ws|worlds\/north|security\.txt/.test(what)))
          failed.push(`${what}: ${status}`)
      }
      await door.close()
      await deps.close()
      const used = recorder.take()
      seen.set(name, used)
      expect(failed).toEqual([])
      expect(used.length).toBeGreaterThan(2)
      expect(used.filter((use) => !grantsOf(name).includes(use))).toEqual([])
    },
    180_000,
  )

  it('grants no table and no action that no function needs', () => {
    const all = new Set([...seen.values()].flat())
    const tables = Object.entries(granted).flatMap(([name, grants]) => Object.keys(grants).map((table) => `${name} ${table}`))
    const needed = [...seen].flatMap(([name, uses]) => uses.map((use) => `${name} ${use.split(' ')[0]}`))
    expect(tables.filter((table) => !needed.includes(table))).toEqual([])
    // The account store uses this for an audited decision without a change, which no request above makes.
    all.add('accounts dynamodb:ConditionCheckItem')
    // A function may need every action on a table that it writes to, depending on its data.
    expect([...new Set(Object.keys(granted).flatMap(grantsOf))].filter((grant) => !all.has(grant))).toEqual([])
    const written = (use: string) => /(Put|Delete|Update)Item$/.test(use)
    const tablesWritten = Object.entries(granted).flatMap(([name, grants]) =>
      Object.entries(grants).flatMap(([table, list]) => (list.some(written) ? [`${name} ${table}`] : [])),
    )
    const needsWriting = [...seen].flatMap(([name, uses]) => uses.filter(written).map((use) => `${name} ${use.split(' ')[0]}`))
    expect(tablesWritten.filter((entry) => !needsWriting.includes(entry))).toEqual([])
  })
})
