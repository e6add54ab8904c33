import { join } from 'node:path'
import type { Account } from '../domain/accounts/account.ts'
import { canAdminister } from '../domain/accounts/can-administer.ts'
import { createDeletedAccounts, type DeletedAccounts } from '../domain/accounts/deleted-accounts.ts'
import { createFailedSignInLog } from '../domain/accounts/failed-sign-ins.ts'
import type { AccountService } from '../domain/accounts/service/account-service.ts'
import { createAccountService } from '../domain/accounts/service/create-account-service.ts'
import { createSignInLog } from '../domain/accounts/sign-in-log.ts'
import type { AccountStore } from '../domain/accounts/store/account-store.ts'
import { type ApiTokens, createApiTokens, joinApiTokens } from '../domain/api-tokens/api-tokens.ts'
import type { AuditLog } from '../domain/audit/audit-log.ts'
import { createStoreAuditLog } from '../domain/audit/store-audit-log.ts'
import { countSignIns } from '../domain/auth/count-sign-ins.ts'
import { createSignIn } from '../domain/auth/create-sign-in.ts'
import { createInvitations, type Invitations } from '../domain/auth/own-accounts/invitations.ts'
import { createResetLinks, type ResetLinks } from '../domain/auth/own-accounts/reset-links.ts'
import type { AuthProvider } from '../domain/auth/provider/provider.ts'
import { createProvider } from '../domain/auth/providers.ts'
import type { SignInService } from '../domain/auth/sign-in.ts'
import type { Backups } from '../domain/backups/backup.ts'
import type { ConfigEditor } from '../domain/configs/editor/config-editor.ts'
import { createConfigImpact } from '../domain/configs/editor/config-impact.ts'
import { createConfigEditor } from '../domain/configs/editor/create-config-editor.ts'
import type { Configs } from '../domain/configs/in-force/configs.ts'
import { loadConfigs } from '../domain/configs/in-force/loaded-configs.ts'
import { createConfigParser } from '../domain/configs/reading/parse-config-aside.ts'
import { createFindUnsafe, refuseUnsafeSettings } from '../domain/configs/server/startup-checks.ts'
import type { ConfigFiles } from '../domain/configs/texts/config-files.ts'
import { createJobService } from '../domain/jobs/create-job-service.ts'
import type { JobService } from '../domain/jobs/job-service.ts'
import { createPasswordHasher } from '../domain/passwords/passwords.ts'
import { createSlowestCost } from '../domain/passwords/slowest-cost.ts'
import { createPermissionNames } from '../domain/permissions/permission-names.ts'
import type { Permissions } from '../domain/permissions/permissions.ts'
import { createPermissions } from '../domain/permissions/permissions.ts'
import { createPlayerOrders } from '../domain/players/player-orders.ts'
import { createPlayerService, type PlayerService } from '../domain/players/player-service.ts'
import type { Presence } from '../domain/presence/presence.ts'
import type { Whereabouts } from '../domain/presence/whereabouts.ts'
import type { NodeReports } from '../domain/reports/node-reports.ts'
import { createSanctionService } from '../domain/sanctions/create-sanction-service.ts'
import { followSanctions } from '../domain/sanctions/in-force/follow-sanctions.ts'
import type { SanctionsInForce } from '../domain/sanctions/in-force/sanctions-in-force.ts'
import { createReportService } from '../domain/sanctions/reports/create-report-service.ts'
import type { ReportService } from '../domain/sanctions/reports/report-service.ts'
import type { SanctionService } from '../domain/sanctions/sanction-service.ts'
import type { SessionStore } from '../domain/sessions/session-store.ts'
import { measureTokenStore } from '../domain/tokens/measure-token-store.ts'
import type { TokenStore } from '../domain/tokens/tokens.ts'
import { createUndo } from '../domain/undo/create-undo.ts'
import type { UndoService } from '../domain/undo/undo-service.ts'
import type { WorldMoves } from '../domain/world-moves/world-moves.ts'
import { createWorldService } from '../domain/worlds/create-world-service.ts'
import { openMapTiles } from '../domain/worlds/map/files/open-map-tiles.ts'
import type { MapTiles } from '../domain/worlds/map/map-tiles.ts'
import type { ChunkStore } from '../domain/worlds/store/chunk-store.ts'
import { measureChunkStore } from '../domain/worlds/store/measure-chunk-store.ts'
import type { WorldService } from '../domain/worlds/world-service.ts'
import { createZoneService } from '../domain/zones/create-zone-service.ts'
import { createZoneSnapshots } from '../domain/zones/snapshots/create-zone-snapshots.ts'
import type { ZoneSnapshots } from '../domain/zones/snapshots/zone-snapshots.ts'
import type { ZoneService } from '../domain/zones/zone-service.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { type Ids, systemIds } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { isWithinMachine } from '../kernel/loopback.ts'
import { createSteeredClock } from '../kernel/steered-clock.ts'
import { noTracing, type Tracing } from '../kernel/tracing.ts'
import { createTurns, type Turns } from '../kernel/turns.ts'
import type { EventBus } from '../platform/events/event-bus.ts'
import type { RateLimiter } from '../platform/limits/rate-limiter.ts'
import { noServiceMetrics, type ServiceMetrics } from '../platform/metrics/service-metrics.ts'
import type { Environment } from '../platform/process/environment.ts'
import { describeUnwritable } from '../platform/storage/files/describe-unwritable.ts'
import { measureStore } from '../platform/storage/measure-store.ts'
import type { Store } from '../platform/storage/store.ts'
import { openCoordination } from './coordination.ts'
import { refuseHalfMoved } from './migration-record.ts'
import { createRetention, type Retention } from './retention.ts'
import { openStorage } from './storage.ts'

/** The services of one process, used by both halves. */
export type Services = {
  readonly store: Store
  readonly chunks: ChunkStore
  readonly worlds: WorldService
  readonly zones: ZoneService
  readonly snapshots: ZoneSnapshots
  readonly tokens: TokenStore
  readonly apiTokens: ApiTokens
  readonly limiter: RateLimiter
  readonly events: EventBus
  readonly presence: Presence
  readonly sessions: SessionStore
  readonly whereabouts: Whereabouts
  readonly nodeReports: NodeReports
  readonly players: PlayerService
  readonly tiles: MapTiles
  readonly configFiles: ConfigFiles
  readonly configs: Configs
  readonly configEditor: ConfigEditor
  readonly permissions: Permissions
  readonly audit: AuditLog
  readonly sanctions: SanctionService
  readonly undo: UndoService
  readonly jobs: JobService
  /** Undefined without a data folder. */
  readonly backups: Backups | undefined
  /** Undefined without a data folder. */
  readonly worldMoves: WorldMoves | undefined
  readonly retention: Retention
  readonly sanctionsInForce: SanctionsInForce
  readonly reports: ReportService
  readonly accountStore: AccountStore
  readonly accounts: AccountService
  readonly deletedAccounts: DeletedAccounts
  readonly provider: AuthProvider
  readonly signIn: SignInService
  readonly invitations: Invitations
  readonly resetLinks: ResetLinks
  /** Public warnings about the setup of Redis that do not stop the server. */
  readonly findRedisWarnings: () => Promise<readonly string[]>
  /** The reasons why files of the data folder cannot be saved, as of the start. */
  readonly storageWarnings: readonly string[]
  /** The external services that the process needs. */
  readonly standsOn: { readonly redis: boolean; readonly dynamodb: boolean }
  /** Whether pages of any origin on this machine may call the API. */
  readonly loopbackPages: boolean
  /** For long work of any kind, done in slices. */
  readonly turns: Turns
  readonly tracing: Tracing
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Finishes queued work, then closes everything. */
  close(): Promise<void>
}

export type ServicesOptions = {
  /** How long a command waits while Redis is being reconnected, in milliseconds; when absent, it does not wait. */
  readonly redisWaitMs?: number
  readonly metrics?: ServiceMetrics
  readonly tracing?: Tracing
}

/**
 * Opens the data folder or DynamoDB, and Redis, reads the configs and connects the services. Throws AppError for an unusable config or
 * folder, for an incomplete migration, and for unsafe settings.
 */
export const openServices = async (
  environment: Environment,
  log: Log,
  { redisWaitMs, metrics = noServiceMetrics, tracing = noTracing }: ServicesOptions = {},
): Promise<Services> => {
  const clock = createSteeredClock(systemClock)
  const ids = systemIds
  const storage = await openStorage(environment, { clock, ids, log, tracing })
  const { configFiles } = storage
  const store = measureStore(storage.store, { metrics, clock })
  const chunks = measureChunkStore(storage.chunks, { metrics, clock })
  await refuseHalfMoved(store)
  const coordination = openCoordination({ ...environment, store: storage.store, clock, ids, log, redisWaitMs, metrics, tracing })
  const { limiter, events, presence, sessions, whereabouts, nodeReports } = coordination
  const findUnsafe = createFindUnsafe(environment)
  const parser = createConfigParser()
  const permissionNames = createPermissionNames()
  const startConfigs = async (): Promise<Configs> => {
    const loaded = await loadConfigs({ files: configFiles, store, events, log, clock, findUnsafe, parser, permissionNames })
    refuseUnsafeSettings({ environment, server: loaded.get('server.yaml') })
    return loaded
  }
  const sanctionsInForce = followSanctions({ store, events, clock, log })
  const startAll = async (): Promise<Configs> => {
    await sanctionsInForce.start()
    return startConfigs()
  }
  // A Lambda repeats a failed start in the same process.
  const configs = await startAll().catch(async (error: unknown) => {
    sanctionsInForce.close()
    await coordination.close()
    await storage.close()
    throw error
  })
  const permissions = createPermissions(configs.get('groups.yaml'), clock, permissionNames)
  configs.onReload((names) => {
    if (names.includes('groups.yaml')) permissions.replace(configs.get('groups.yaml'))
  })
  const worlds = createWorldService({ store, chunks, configs, clock, ids, activeName: environment.worldName })
  const zones = createZoneService({ store, chunks, worlds, configs, events, clock, ids, log })
  const snapshots = createZoneSnapshots({ store, clock, ids, keptDays: () => configs.get('server.yaml').audit.days })
  const audit = createStoreAuditLog(store)
  const canAdministerHere = (rules: Permissions, account: Account) =>
    canAdminister(rules, account, configs.get('server.yaml').auth.provider === 'local' ? 'password' : 'identity-provider')
  const accountStore = storage.createAccountStore({
    isAdministrator: (account) => canAdministerHere(permissions, account),
    audit,
  })
  const signInTokens = measureTokenStore(coordination.tokens, { metrics, clock })
  const emailOf = async (playerId: string) => (await accountStore.findByPlayerId(playerId))?.email
  const apiTokens = createApiTokens({ store, tokens: signInTokens, events, audit, emailOf, clock, ids, log })
  const tokens = joinApiTokens(signInTokens, apiTokens)
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
  const storageWarnings = environment.dynamodb === undefined ? describeUnwritable(join(environment.dataDir, 'config')) : []
  for (const warning of storageWarnings) log.warn({}, warning)
  const turns = createTurns()
  const tiles = openMapTiles(environment, { chunks, configs, turns, clock, ids, log, nodeReports })
  const configEditor = createConfigEditor({
    files: configFiles,
    configs,
    parser,
    accountStore,
    findUnsafe,
    permissionNames,
    audit,
    clock,
    ids,
    log,
    describeImpact: createConfigImpact({
      accountStore,
      presence,
      configs,
      permissionNames,
      turns,
      canAdminister: canAdministerHere,
    }),
  })
  const passwords = createPasswordHasher({
    cost: () => configs.get('server.yaml').auth.local.bcryptCost,
    slowestCost: createSlowestCost({ store, clock, log }),
  })
  metrics.watchPasswords(passwords.waiting)
  const deletedAccounts = createDeletedAccounts({ store, clock })
  const accounts = createAccountService({
    accountStore,
    deletedAccounts,
    permissions,
    passwords,
    tokens,
    events,
    clock,
    ids,
    log,
    isBanned: (email) => sanctionsInForce.findBan(email) !== undefined,
    moveSanctions: (from, to) => sanctions.moveEmail(from, to),
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
  const reports = createReportService({ store, clock, ids })
  const jobs = createJobService({ store, events, clock, ids })
  const backups = storage.createBackups?.(() => configs.get('server.yaml').backups.keep)
  const worldMoves = storage.createWorldMoves?.({ store, worlds, chunks, zones, jobs, accountStore, events })
  const undo = createUndo({
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
  })
  const retention = createRetention({ store, deletedAccounts, snapshots, configs, clock, turns, log })
  const { readSecret } = environment
  const provider = createProvider({
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
  const signIn = countSignIns(
    createSignIn({
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
    }),
    metrics,
  )
  return {
    store,
    tokens,
    apiTokens,
    limiter,
    events,
    configs,
    permissions,
    audit,
    sanctions,
    undo,
    jobs,
    backups,
    worldMoves,
    retention,
    sanctionsInForce,
    reports,
    accountStore,
    accounts,
    provider,
    signIn,
    invitations,
    resetLinks,
    clock,
    ids,
    log,
    findRedisWarnings: coordination.findWarnings,
    storageWarnings,
    standsOn: { redis: environment.redisUrl !== undefined, dynamodb: environment.dynamodb !== undefined },
    loopbackPages: isWithinMachine(environment),
    presence,
    sessions,
    whereabouts,
    nodeReports,
    players,
    tiles,
    turns,
    tracing,
    configFiles,
    configEditor,
    chunks,
    worlds,
    zones,
    snapshots,
    deletedAccounts,
    close: async () => {
      await tiles.close()
      await passwords.close()
      await accountStore.close()
      sanctionsInForce.close()
      await configs.close()
      await parser.close()
      await coordination.close()
      await storage.close()
    },
  }
}
