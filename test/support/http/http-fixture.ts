import { hashSync } from 'bcryptjs'
import { stringify } from 'yaml'
import { createListings, type HttpDeps } from '../../../functions/deps.ts'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import { canAdminister } from '../../../shared/domain/accounts/can-administer.ts'
import { createDeletedAccounts } from '../../../shared/domain/accounts/deleted-accounts.ts'
import { createFailedSignInLog } from '../../../shared/domain/accounts/failed-sign-ins.ts'
import { createAccountService } from '../../../shared/domain/accounts/service/create-account-service.ts'
import { createSignInLog } from '../../../shared/domain/accounts/sign-in-log.ts'
import { createMemoryAccountStore } from '../../../shared/domain/accounts/store/memory-account-store.ts'
import { createApiTokens, joinApiTokens } from '../../../shared/domain/api-tokens/api-tokens.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { createSignIn } from '../../../shared/domain/auth/create-sign-in.ts'
import { createInvitations } from '../../../shared/domain/auth/own-accounts/invitations.ts'
import { createResetLinks } from '../../../shared/domain/auth/own-accounts/reset-links.ts'
import { createProvider } from '../../../shared/domain/auth/providers.ts'
import { configNames } from '../../../shared/domain/configs/catalogue.ts'
import { createConfigImpact } from '../../../shared/domain/configs/editor/config-impact.ts'
import { createConfigEditor } from '../../../shared/domain/configs/editor/create-config-editor.ts'
import { createConfigParser } from '../../../shared/domain/configs/reading/parse-config-aside.ts'
import { createFindUnsafe } from '../../../shared/domain/configs/server/startup-checks.ts'
import { configBytesMax } from '../../../shared/domain/configs/texts/config-files.ts'
import { createJobService } from '../../../shared/domain/jobs/create-job-service.ts'
import { createPasswordHasher } from '../../../shared/domain/passwords/passwords.ts'
import type { Permissions } from '../../../shared/domain/permissions/permissions.ts'
import { createPermissions } from '../../../shared/domain/permissions/permissions.ts'
import { createPlayerOrders } from '../../../shared/domain/players/player-orders.ts'
import { createPlayerService } from '../../../shared/domain/players/player-service.ts'
import { createNodeDirectory } from '../../../shared/domain/presence/node-directory.ts'
import { createMemoryPresence } from '../../../shared/domain/presence/presence-memory.ts'
import { createMemoryNodeReports } from '../../../shared/domain/reports/node-reports-memory.ts'
import { createSanctionService } from '../../../shared/domain/sanctions/create-sanction-service.ts'
import { followSanctions } from '../../../shared/domain/sanctions/in-force/follow-sanctions.ts'
import { createReportService } from '../../../shared/domain/sanctions/reports/create-report-service.ts'
import { createUndo } from '../../../shared/domain/undo/create-undo.ts'
import { createWorldService } from '../../../shared/domain/worlds/create-world-service.ts'
import type { KeptTile } from '../../../shared/domain/worlds/map/files/tile-files.ts'
import { createMapTiles } from '../../../shared/domain/worlds/map/map-tiles.ts'
import { createTileChanges } from '../../../shared/domain/worlds/map/tile-changes.ts'
import { createZoneService } from '../../../shared/domain/zones/create-zone-service.ts'
import { createZoneSnapshots } from '../../../shared/domain/zones/snapshots/create-zone-snapshots.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { noTracing } from '../../../shared/kernel/tracing.ts'
import { createTurns } from '../../../shared/kernel/turns.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createFairQueue } from '../../../shared/platform/limits/fair-queue.ts'
import { createMemoryRateLimiter } from '../../../shared/platform/limits/rate-limiter-memory.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { createReadiness } from '../../../shared/services/readiness.ts'
import { createMemoryTokenStore } from '../auth/memory-tokens.ts'
import { createMemoryConfigFiles } from '../configs/config-files-memory.ts'
import { type ConfigInputs, createFixedConfigs } from '../configs/fixed-configs.ts'
import { createFixedClock } from '../time/fixed-clock.ts'
import { createCapturedLog } from '../time/silent-log.ts'
import { createMemoryChunkStore } from '../worlds/chunk-store-memory.ts'

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
  const permissions = createPermissions(configs.get('groups.yaml'), clock)
  const store = createMemoryStore()
  const audit = createStoreAuditLog(store)
  const canAdministerHere = (rules: Permissions, account: Account) =>
    canAdminister(rules, account, configs.get('server.yaml').auth.provider === 'local' ? 'password' : 'identity-provider')
  const accountStore = createMemoryAccountStore({
    isAdministrator: (account) => canAdministerHere(permissions, account),
    audit,
  })
  const limiter = createMemoryRateLimiter()
  const events = createMemoryEventBus({ log })
  const signInTokens = createMemoryTokenStore({ clock, ids })
  const emailOf = async (playerId: string) => (await accountStore.findByPlayerId(playerId))?.email
  const apiTokens = createApiTokens({ store, tokens: signInTokens, events, audit, emailOf, clock, ids, log })
  const tokens = joinApiTokens(signInTokens, apiTokens)
  const configFiles = createMemoryConfigFiles({
    bundled: Object.fromEntries(configNames.map((name) => [name, toYaml(configs.get(name))])),
    clock,
    ids,
  })
  const findUnsafe = createFindUnsafe({
    role: 'http',
    host: '127.0.0.1',
    baseUrl: 'http://127.0.0.1:3000',
    allowPasswordless: false,
    readSecret,
  })
  const presence = createMemoryPresence({ clock })
  const nodeReports = createMemoryNodeReports({ clock })
  const players = createPlayerService({
    nodeReports,
    events,
    orders: createPlayerOrders({ events, ids }),
    audit,
    accountStore,
    permissions,
    clock,
    ids,
  })
  const turns = createTurns()
  const parser = createConfigParser({ inlineBytesMax: configBytesMax })
  const configEditor = createConfigEditor({
    files: configFiles,
    configs,
    parser,
    accountStore,
    findUnsafe,
    audit,
    clock,
    ids,
    log,
    permissionNames: permissions.names,
    describeImpact: createConfigImpact({
      accountStore,
      presence,
      configs,
      permissionNames: permissions.names,
      turns,
      canAdminister: canAdministerHere,
    }),
  })
  const passwords = createPasswordHasher({ cost: 4, threads: 1 })
  const sanctionsInForce = followSanctions({ store, events, clock, log })
  await sanctionsInForce.start()
  const deletedAccounts = createDeletedAccounts({ store, clock })
  const accounts = createAccountService({
    accountStore,
    deletedAccounts,
    permissions,
    passwords,
    tokens,
    events,
    isBanned: (email) => sanctionsInForce.findBan(email) !== undefined,
    moveSanctions: (from, to) => sanctions.moveEmail(from, to),
    clock,
    ids,
    log,
  })
  const provider =
    overrides.provider ??
    createProvider({
      accountStore,
      accounts,
      passwords,
      tokens,
      authConfig: () => configs.get('server.yaml').auth,
      readSecret,
      clock,
      ids,
      log,
    })
  const invitations = createInvitations({ store, accountStore, permissions, sanctionsInForce, clock, ids })
  const resetLinks = createResetLinks({ store, accountStore, accounts, permissions, sanctionsInForce, clock, ids })
  const signIn = createSignIn({
    provider,
    accounts,
    accountStore,
    invitations,
    passwords,
    tokens,
    limiter,
    configs,
    events,
    sanctionsInForce,
    signInLog: createSignInLog({ store, clock, log }),
    failedSignIns: createFailedSignInLog({ store, clock }),
    audit,
    clock,
    ids,
    log,
  })
  const sanctions = createSanctionService({
    store,
    inForce: sanctionsInForce,
    accountStore,
    permissions,
    tokens,
    events,
    clock,
    ids,
    log,
  })
  const chunks = overrides.chunks ?? createMemoryChunkStore()
  const worlds = createWorldService({ store, chunks, configs, clock, ids, activeName: 'default' })
  const zones = createZoneService({ store, chunks, worlds, configs, events, clock, ids, log })
  const jobs = createJobService({ store, events, clock, ids })
  const snapshots = createZoneSnapshots({ store, clock, ids, keptDays: () => 365 })
  const keptTiles = new Map<string, KeptTile>()
  const tiles = createMapTiles({
    chunks,
    turns,
    clock,
    changes: createTileChanges({ nodeReports, clock, log }),
    blocks: () => configs.get('blocks.yaml'),
    files: { find: async (name) => keptTiles.get(name), put: async (name, tile) => void keptTiles.set(name, tile) },
  })
  const observed: Parameters<HttpDeps['metrics']['observe']>[0][] = []
  const refused: string[] = []
  const deps: HttpDeps = {
    accounts,
    accountStore,
    signIn,
    provider,
    tokens,
    apiTokens,
    limiter,
    permissions,
    configs,
    audit,
    clock,
    ids,
    log,
    turns,
    worlds,
    chunks,
    zones,
    configEditor,
    sanctions,
    sanctionsInForce,
    players,
    tiles,
    tileTurns: createFairQueue({ slots: 2, waitingMax: 100 }),
    listings: createListings(),
    nodeReports,
    store,
    reports: createReportService({ store, clock, ids }),
    invitations,
    resetLinks,
    backups: undefined,
    worldMoves: undefined,
    jobs,
    snapshots,
    undo: createUndo({
      audit,
      accounts,
      accountStore,
      deletedAccounts,
      zones,
      configEditor,
      sanctions,
      store,
      permissions,
      events,
      clock,
      ids,
      worlds,
      jobs,
      chunks,
    }),
    nodes: createNodeDirectory({ presence, clock }),
    readiness: createReadiness({ probes: [{ name: 'redis', neededFor: 'tokens', probe: () => tokens.ping(), timeoutMs: 1000 }] }),
    metrics: { observe: (request) => void observed.push(request), countProblem: (slug) => void refused.push(slug) },
    tracing: noTracing,
    pages: { findPage: async () => undefined, findFile: async () => undefined },
    baseUrl: 'http://127.0.0.1:3000',
    loopbackPages: false,
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
      sanctionsInForce.close()
      await tiles.close()
      await passwords.close()
      await limiter.close()
      await events.close()
      await chunks.close()
      await store.close()
    },
  }
}
