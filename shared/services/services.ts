import { join } from 'node:path'
import type { Account } from '../accounts/account.ts'
import { canAdminister } from '../accounts/can-administer.ts'
import { createDeletedAccounts, type DeletedAccounts } from '../accounts/deleted-accounts.ts'
import { createFailedSignInLog } from '../accounts/failed-sign-ins.ts'
import type { AccountService } from '../accounts/service/account-service.ts'
import { createAccountService } from '../accounts/service/create-account-service.ts'
import { createSignInLog } from '../accounts/sign-in-log.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import { createStoreAuditLog } from '../audit/store-audit-log.ts'
import { createSignIn } from '../auth/create-sign-in.ts'
import { createInvitations, type Invitations } from '../auth/own-accounts/invitations.ts'
import { createResetLinks, type ResetLinks } from '../auth/own-accounts/reset-links.ts'
import { createPasswordHasher } from '../auth/passwords/passwords.ts'
import { createSlowestCost } from '../auth/passwords/slowest-cost.ts'
import type { AuthProvider } from '../auth/provider/provider.ts'
import { createProvider } from '../auth/providers.ts'
import type { SignInService } from '../auth/sign-in.ts'
import type { TokenStore } from '../auth/tokens/tokens.ts'
import type { Backups } from '../backups/backup.ts'
import type { ConfigEditor } from '../configs/editor/config-editor.ts'
import { createConfigImpact } from '../configs/editor/config-impact.ts'
import { createConfigEditor } from '../configs/editor/create-config-editor.ts'
import type { Configs } from '../configs/in-force/configs.ts'
import { loadConfigs } from '../configs/in-force/loaded-configs.ts'
import { createConfigParser } from '../configs/reading/parse-config-aside.ts'
import { createFindUnsafe, refuseUnsafeSettings } from '../configs/server/startup-checks.ts'
import type { ConfigFiles } from '../configs/texts/config-files.ts'
import type { EventBus } from '../events/event-bus.ts'
import { createJobService } from '../jobs/create-job-service.ts'
import type { JobService } from '../jobs/job-service.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { type Ids, systemIds } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { isWithinMachine } from '../kernel/loopback.ts'
import { createSteeredClock } from '../kernel/steered-clock.ts'
import { noTracing, type Tracing } from '../kernel/tracing.ts'
import { createTurns, type Turns } from '../kernel/turns.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import { countSignIns } from '../metrics/count-sign-ins.ts'
import { measureChunkStore } from '../metrics/measure-chunk-store.ts'
import { measureStore } from '../metrics/measure-store.ts'
import { measureTokenStore } from '../metrics/measure-token-store.ts'
import { noServiceMetrics, type ServiceMetrics } from '../metrics/service-metrics.ts'
import { createPermissionNames } from '../permissions/permission-names.ts'
import type { Permissions } from '../permissions/permissions.ts'
import { createPermissions } from '../permissions/permissions.ts'
import { createPlayerOrders } from '../players/player-orders.ts'
import { createPlayerService, type PlayerService } from '../players/player-service.ts'
import type { Presence } from '../presence/presence.ts'
import type { Whereabouts } from '../presence/whereabouts.ts'
import type { NodeReports } from '../reports/node-reports.ts'
import { createSanctionService } from '../sanctions/create-sanction-service.ts'
import { followSanctions } from '../sanctions/in-force/follow-sanctions.ts'
import type { SanctionsInForce } from '../sanctions/in-force/sanctions-in-force.ts'
import { createReportService } from '../sanctions/reports/create-report-service.ts'
import type { ReportService } from '../sanctions/reports/report-service.ts'
import type { SanctionService } from '../sanctions/sanction-service.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import { describeUnwritable } from '../storage/files/describe-unwritable.ts'
import type { Store } from '../storage/store.ts'
import { createUndo } from '../undo/create-undo.ts'
import type { UndoService } from '../undo/undo-service.ts'
import type { WorldMoves } from '../world-moves/world-moves.ts'
import { createWorldService } from '../worlds/create-world-service.ts'
import { openMapTiles } from '../worlds/map/files/open-map-tiles.ts'
import type { MapTiles } from '../worlds/map/map-tiles.ts'
import type { ChunkStore } from '../worlds/store/chunk-store.ts'
import type { WorldService } from '../worlds/world-service.ts'
import { createZoneService } from '../zones/create-zone-service.ts'
import { createZoneSnapshots } from '../zones/snapshots/create-zone-snapshots.ts'
import type { ZoneSnapshots } from '../zones/snapshots/zone-snapshots.ts'
import type { ZoneService } from '../zones/zone-service.ts'
import { openCoordination } from './coordination.ts'
import type { Environment } from './environment.ts'
import { refuseHalfMoved } from './migration-record.ts'
import { createRetention, type Retention } from './retention.ts'
import { openStorage } from './storage.ts'

/** What both halves stand on, wired for one process. */
export type Services = {
  readonly store: Store
  readonly chunks: ChunkStore
  readonly worlds: WorldService
  readonly zones: ZoneService
  readonly snapshots: ZoneSnapshots
  readonly tokens: TokenStore
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
  /** Undefined where nothing is in a data folder. */
  readonly backups: Backups | undefined
  /** Undefined where nothing is in a data folder. */
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
  /** Faults of the set-up of Redis that take nothing down, in words fit for the public. */
  readonly findRedisWarnings: () => Promise<readonly string[]>
  /** What keeps the files of the data folder from being saved, as of the start. */
  readonly storageWarnings: readonly string[]
  /** What the process stands on besides its own disk and memory. */
  readonly standsOn: { readonly redis: boolean; readonly dynamodb: boolean }
  /** Whether pages of any origin on this machine may call. */
  readonly loopbackPages: boolean
  /** For long work in slices, of whoever does it. */
  readonly turns: Turns
  readonly tracing: Tracing
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Finishes what is queued, then lets everything go. */
  close(): Promise<void>
}

export type ServicesOptions = {
  /** How long a command waits for a connection to Redis that is being made again, in milliseconds; not at all when absent. */
  readonly redisWaitMs?: number
  readonly metrics?: ServiceMetrics
  readonly tracing?: Tracing
}

/** Opens the data folder or DynamoDB, and Redis, reads the configs and wires the domain. Throws AppError for a config or a folder that cannot be used, for what a migration has not finished, and for settings that are not safe. */
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
  const tokens = measureTokenStore(coordination.tokens, { metrics, clock })
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
  // A Lambda starts again after a start that failed, in the same process.
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
    ...{ files: configFiles, configs, parser, accountStore, findUnsafe, permissionNames, audit, clock, ids, log },
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
    ...{ accountStore, deletedAccounts, permissions, passwords, tokens, events, clock, ids, log },
    isBanned: (email) => sanctionsInForce.findBan(email) !== undefined,
    moveSanctions: (from, to) => sanctions.moveEmail(from, to),
  })
  const sanctions = createSanctionService({
    ...{ store, inForce: sanctionsInForce, accountStore, permissions, tokens, events, clock, ids, log },
  })
  const reports = createReportService({ store, clock, ids })
  const jobs = createJobService({ store, events, clock, ids })
  const backups = storage.createBackups?.(() => configs.get('server.yaml').backups.keep)
  const worldMoves = storage.createWorldMoves?.({ store, worlds, chunks, zones, jobs, accountStore, events })
  const undo = createUndo({
    ...{ audit, accounts, accountStore, deletedAccounts, zones, configEditor, sanctions, store, permissions, events, clock, ids },
    ...{ worlds, jobs, chunks },
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
      ...{ provider, accounts, accountStore, invitations, passwords, tokens, limiter, configs, events, sanctionsInForce },
      ...{ signInLog: createSignInLog({ store, clock, log }), failedSignIns: createFailedSignInLog({ store, clock }) },
      ...{ audit, clock, ids, log },
    }),
    metrics,
  )
  return {
    ...{ store, tokens, limiter, events, configs, permissions, audit, sanctions, undo, jobs, backups, worldMoves, retention },
    ...{ sanctionsInForce, reports, accountStore, accounts, provider, signIn, invitations, resetLinks, clock, ids, log },
    findRedisWarnings: coordination.findWarnings,
    storageWarnings,
    standsOn: { redis: environment.redisUrl !== undefined, dynamodb: environment.dynamodb !== undefined },
    loopbackPages: isWithinMachine(environment),
    ...{ presence, sessions, whereabouts, nodeReports, players, tiles, turns, tracing },
    ...{ configFiles, configEditor, chunks, worlds, zones, snapshots, deletedAccounts },
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
