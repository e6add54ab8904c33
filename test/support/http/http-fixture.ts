import { hashSync } from 'bcryptjs'
import { stringify } from 'yaml'
import { createDeps, type HttpDeps } from '../../../functions/deps.ts'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import { createMemoryAccountStore } from '../../../shared/domain/accounts/store/memory-account-store.ts'
import { createProvider } from '../../../shared/domain/auth/providers.ts'
import { configNames } from '../../../shared/domain/configs/catalogue.ts'
import { createConfigParser } from '../../../shared/domain/configs/reading/config-parser.ts'
import { createFindUnsafe } from '../../../shared/domain/configs/server/startup-checks.ts'
import { configBytesMax } from '../../../shared/domain/configs/texts/config-files.ts'
import { listReportedPermissions } from '../../../shared/domain/modules/admin/module-report.ts'
import { createMemoryNodeReports } from '../../../shared/domain/node-reports/node-reports-memory.ts'
import { createPasswordHasher } from '../../../shared/domain/passwords/passwords.ts'
import { createPermissionNames } from '../../../shared/domain/permissions/permission-names.ts'
import { createMemoryPresence } from '../../../shared/domain/presence/presence-memory.ts'
import { createMemoryWhereabouts } from '../../../shared/domain/presence/whereabouts.ts'
import { followSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import { createMemorySessionStore } from '../../../shared/domain/sessions/session-store-memory.ts'
import type { KeptTile } from '../../../shared/domain/worlds/map/files/tile-files.ts'
import { createMapTiles } from '../../../shared/domain/worlds/map/map-tiles.ts'
import { createTileChanges } from '../../../shared/domain/worlds/map/tile-changes.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createTurns } from '../../../shared/kernel/turns.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryRateLimiter } from '../../../shared/platform/limits/rate-limiter.ts'
import { createServiceMetrics } from '../../../shared/platform/metrics/service-metrics.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { createReadiness } from '../../../shared/services/readiness.ts'
import { wireServices } from '../../../shared/services/wire-services.ts'
import { createMemoryTokenStore } from '../auth/memory-tokens.ts'
import { createMemoryConfigFiles } from '../configs/config-files-memory.ts'
import { type ConfigInputs, createFixedConfigs } from '../configs/fixed-configs.ts'
import { createFixedClock } from '../time/fixed-clock.ts'
import { createCapturedLog } from '../time/silent-log.ts'

/** The caller: without a token, a member of `player`, a member of `admin` by password, or one with an unverified sign-in. */
export type CallerName = 'nobody' | 'player' | 'admin' | 'unverified-admin'

/** The password of `player@example.com` and `admin@example.com`. */
export const fixturePassword = 'correct horse'

/** Secrets of the environment: any name has a value that contains the name. */
export const readSecret = (name: string): string | undefined => (name === 'NOT_SET' ? undefined : `the secret of ${name}`)

const groups = {
  groups: [
    { name: 'player', permissions: ['world.build', 'command.help'] },
    { name: 'clerk', permissions: ['admin.users.*', 'world.build'] },
  ],
  defaultGroups: ['player'],
}

const fixtureHash = hashSync(fixturePassword, 4)

const texts = new Map<string, string>()

/** Converts to YAML with a cache, because most fixtures have the same configs. */
const toYaml = (value: unknown): string => {
  const key = JSON.stringify(value)
  const text = texts.get(key) ?? stringify(value)
  texts.set(key, text)
  return text
}

const createFixtureAccount = (name: 'player' | 'admin', createdAt: string): Account => ({
  email: `${name}@example.com`,
  playerId: systemIds.uuid(),
  displayName: name,
  passwordHash: fixtureHash,
  groups: [name],
  createdAt,
})

/** A whole HTTP half in memory with two accounts; `overrides` replace parts of it. */
export const createHttpFixture = async (configInputs: ConfigInputs = {}, overrides: Partial<HttpDeps> = {}, startMs?: number) => {
  const { log, lines } = createCapturedLog()
  const clock = createFixedClock(startMs)
  const ids = systemIds
  const configs = createFixedConfigs({ groups, ...configInputs })
  const store = createMemoryStore()
  const chunks = overrides.chunks ?? createMemoryChunkStore()
  const limiter = createMemoryRateLimiter()
  const events = createMemoryEventBus({ log })
  const presence = createMemoryPresence({ clock })
  const nodeReports = createMemoryNodeReports({ clock })
  const configFiles = createMemoryConfigFiles({
    bundled: Object.fromEntries(configNames.map((name) => [name, toYaml(configs.get(name))])),
    clock,
    ids,
  })
  const parser = createConfigParser({ inlineBytesMax: configBytesMax })
  const passwords = createPasswordHasher({ cost: 4, threads: 1 })
  const activeSanctions = followSanctions({ store, events, clock, log })
  await activeSanctions.start()
  const turns = createTurns()
  const keptTiles = new Map<string, KeptTile>()
  const tiles = createMapTiles({
    chunks,
    turns,
    clock,
    changes: createTileChanges({ nodeReports, clock, log }),
    blocks: () => configs.get('blocks.yaml'),
    files: { find: async (name) => keptTiles.get(name), put: async (name, tile) => void keptTiles.set(name, tile) },
  })
  const { provider } = overrides
  const services = wireServices({
    environment: { worldName: 'default', readSecret },
    storage: { store, chunks, configFiles, createAccountStore: createMemoryAccountStore },
    coordination: {
      tokens: createMemoryTokenStore({ clock, ids }),
      limiter,
      events,
      presence,
      sessions: createMemorySessionStore({ clock }),
      whereabouts: createMemoryWhereabouts(),
      nodeReports,
      findWarnings: async () => [],
    },
    configs,
    parser,
    findUnsafe: createFindUnsafe({
      role: 'http',
      host: '127.0.0.1',
      baseUrl: 'http://127.0.0.1:3000',
      allowPasswordless: false,
      readSecret,
    }),
    permissionNames: createPermissionNames(() => listReportedPermissions(nodeReports)),
    passwords,
    activeSanctions,
    tiles,
    openProvider: provider === undefined ? createProvider : () => provider,
    turns,
    metrics: createServiceMetrics(),
    clock,
    ids,
    log,
  })
  const { accountStore, tokens, worlds, zones } = services
  const observed: Parameters<HttpDeps['metrics']['observe']>[0][] = []
  const refused: string[] = []
  const metrics: HttpDeps['metrics'] = {
    observe: (request) => void observed.push(request),
    countProblem: (slug) => void refused.push(slug),
  }
  const facts = { storageWarnings: [], standsOn: { redis: false, dynamodb: false }, loopbackPages: false }
  const deps: HttpDeps = {
    ...createDeps({ ...services, ...facts, close: async () => undefined }, 'http://127.0.0.1:3000', metrics),
    readiness: createReadiness({ probes: [{ name: 'redis', neededFor: 'tokens', probe: () => tokens.ping(), timeoutMs: 1000 }] }),
    pages: { findPage: async () => undefined, findFile: async () => undefined },
    ...overrides,
  }

  const createdAt = new Date(clock.now()).toISOString()
  const people = { player: createFixtureAccount('player', createdAt), admin: createFixtureAccount('admin', createdAt) }
  for (const account of Object.values(people))
    await accountStore.change(account.email, () => ({ next: account, result: undefined }))

  /** Issues a new token for that caller at each call. */
  const issueToken = async (as: CallerName): Promise<string | undefined> => {
    if (as === 'nobody') return undefined
    const { playerId } = people[as === 'player' ? 'player' : 'admin']
    return tokens.issue({ playerId, verified: as !== 'unverified-admin', signInId: ids.uuid(), signedInAt: clock.now() })
  }

  return {
    deps,
    clock,
    configs,
    store,
    events,
    passwords,
    tokens,
    accountStore,
    people,
    lines,
    observed,
    refused,
    issueToken,
    worlds,
    chunks,
    zones,
    configFiles,
    presence,
    nodeReports,
    close: async () => {
      activeSanctions.close()
      await tiles.close()
      await passwords.close()
      await limiter.close()
      await events.close()
      await chunks.close()
      await store.close()
    },
  }
}
