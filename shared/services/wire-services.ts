import type { Account } from '../domain/accounts/account.ts'
import { canAdminister } from '../domain/accounts/can-administer.ts'
import { createDeletedAccounts } from '../domain/accounts/deleted-accounts.ts'
import { createFailedSignInLog } from '../domain/accounts/failed-sign-ins.ts'
import { createAccountService } from '../domain/accounts/service/create-account-service.ts'
import { createSignInLog } from '../domain/accounts/sign-in-log.ts'
import { createApiTokens, joinApiTokens } from '../domain/api-tokens/api-tokens.ts'
import { createStoreAuditLog } from '../domain/audit/store-audit-log.ts'
import { countSignIns, createSignIn } from '../domain/auth/create-sign-in.ts'
import { createInvitations } from '../domain/auth/own-accounts/invitations.ts'
import { createResetLinks } from '../domain/auth/own-accounts/reset-links.ts'
import type { createProvider } from '../domain/auth/providers.ts'
import { createCheckReloaded } from '../domain/configs/current/check-reloaded.ts'
import type { Configs } from '../domain/configs/current/configs.ts'
import { createConfigEditor } from '../domain/configs/editor/config-editor.ts'
import { createConfigImpact } from '../domain/configs/editor/config-impact.ts'
import type { ConfigParser } from '../domain/configs/reading/config-parser.ts'
import type { createFindUnsafe } from '../domain/configs/server/startup-checks.ts'
import { createJobService } from '../domain/jobs/job-service.ts'
import { createCheckModuleSettings } from '../domain/modules/admin/check-settings.ts'
import { createModuleDataAdmin } from '../domain/modules/admin/module-data-admin.ts'
import { createModuleOrders } from '../domain/modules/admin/module-orders.ts'
import { createWorldStates } from '../domain/modules/data/world-states.ts'
import type { PasswordHasher } from '../domain/passwords/passwords.ts'
import type { PermissionNames } from '../domain/permissions/permission-names.ts'
import { createPermissions, type Permissions } from '../domain/permissions/permissions.ts'
import { createPlayerOrders } from '../domain/players/player-orders.ts'
import { createPlayerService } from '../domain/players/player-service.ts'
import type { FollowedSanctions } from '../domain/sanctions/active/follow-sanctions.ts'
import { createReportService } from '../domain/sanctions/reports/report-service.ts'
import { createSanctionService } from '../domain/sanctions/sanction-service.ts'
import { createUndo } from '../domain/undo/create-undo.ts'
import { registryOf } from '../domain/worlds/chunks/block-registry.ts'
import { createWorldService } from '../domain/worlds/create-world-service.ts'
import type { MapTiles } from '../domain/worlds/map/map-tiles.ts'
import { createZoneService } from '../domain/zones/create-zone-service.ts'
import { createZoneSnapshots } from '../domain/zones/snapshots/zone-snapshots.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Turns } from '../kernel/turns.ts'
import { measureOperations, type ServiceMetrics } from '../platform/metrics/service-metrics.ts'
import type { Environment } from '../platform/process/environment.ts'
import type { Coordination } from './coordination.ts'
import { createRetention } from './retention.ts'
import type { StorageAdapters } from './storage-adapters.ts'

/** Everything that the services need, opened by the server or made by a test. */
export type ServiceParts = {
  readonly environment: Pick<Environment, 'worldName' | 'readSecret'>
  readonly storage: Omit<StorageAdapters, 'close'>
  readonly coordination: Omit<Coordination, 'close'>
  readonly configs: Configs
  readonly parser: ConfigParser
  readonly findUnsafe: ReturnType<typeof createFindUnsafe>
  readonly permissionNames: PermissionNames
  readonly passwords: PasswordHasher
  readonly activeSanctions: FollowedSanctions
  readonly tiles: MapTiles
  readonly openProvider: typeof createProvider
  readonly turns: Turns
  readonly metrics: ServiceMetrics
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Connects the services of one process to open stores and loaded configs. The composition root of the server and of its tests. */
export const wireServices = (parts: ServiceParts) => {
  const { environment, storage, coordination, configs, parser, findUnsafe, permissionNames, passwords } = parts
  const { activeSanctions, tiles, openProvider, turns, metrics, clock, ids, log } = parts
  const { store, chunks, configFiles } = storage
  const { limiter, events, presence, sessions, whereabouts, nodeReports } = coordination
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
  const signInTokens = measureOperations('tokens', coordination.tokens, { metrics, clock })
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
  const moduleOrders = createModuleOrders({ events, nodeReports, ids })
  const moduleData = createModuleDataAdmin({
    store,
    orders: moduleOrders,
    audit,
    bytesMax: () => configs.get('modules.yaml').budget.recordBytesMax,
    clock,
    ids,
  })
  const checkModuleSettings = createCheckModuleSettings(moduleOrders)
  const checkReloaded = createCheckReloaded({ configs, files: configFiles, parser, checkModuleSettings })
  const configEditor = createConfigEditor({
    files: configFiles,
    configs,
    parser,
    accountStore,
    findUnsafe,
    checkModuleSettings,
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
    isBanned: (email) => activeSanctions.findBan(email) !== undefined,
    moveSanctions: (from, to) => sanctions.moveEmail(from, to),
  })
  const sanctions = createSanctionService({
    store,
    inForce: activeSanctions,
    accountStore,
    permissions,
    tokens,
    apiTokens,
    events,
    clock,
    ids,
    log,
  })
  const reports = createReportService({ store, clock, ids })
  const jobs = createJobService({ store, events, clock, ids })
  const backups = storage.createBackups?.(() => configs.get('server.yaml').backups.keep)
  const worldMoves = storage.createWorldMoves?.({ store, worlds, chunks, zones, jobs, accountStore, events })
  const worldStates = createWorldStates(store)
  const worldImports = storage.createWorldImports?.({
    store,
    worlds,
    jobs,
    moduleStates: worldStates,
    createRegistry: () => registryOf(configs.get('blocks.yaml')),
    pause: () => turns.next(),
  })
  const undo = createUndo({
    audit,
    accounts,
    accountStore,
    deletedAccounts,
    zones,
    configEditor,
    sanctions,
    moduleData,
    store,
    permissions,
    events,
    clock,
    ids,
    worlds,
    jobs,
    chunks,
  })
  const retention = createRetention({ store, deletedAccounts, accountStore, snapshots, configs, clock, ids, turns, log })
  const provider = openProvider({
    accountStore,
    accounts,
    passwords,
    tokens,
    authConfig: () => configs.get('server.yaml').auth,
    readSecret: environment.readSecret,
    clock,
    ids,
    log,
  })
  const invitations = createInvitations({ store, accountStore, permissions, activeSanctions, clock, ids })
  const resetLinks = createResetLinks({ store, accountStore, accounts, permissions, activeSanctions, clock, ids })
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
      activeSanctions,
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
    worldStates,
    worldImports,
    retention,
    activeSanctions,
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
    presence,
    sessions,
    whereabouts,
    nodeReports,
    players,
    moduleOrders,
    moduleData,
    tiles,
    turns,
    configFiles,
    configEditor,
    checkReloaded,
    chunks,
    worlds,
    zones,
    snapshots,
    deletedAccounts,
  }
}

/** The services of one process, used by both halves. */
export type Services = ReturnType<typeof wireServices> & {
  /** Why files of the data folder could not be saved at the start. */
  readonly storageWarnings: readonly string[]
  /** The services outside of the process that it depends on. */
  readonly standsOn: { readonly redis: boolean; readonly dynamodb: boolean }
  /** Whether pages of any origin on this machine may call. */
  readonly loopbackPages: boolean
  /** Finishes queued work, then closes everything. */
  close(): Promise<void>
}
