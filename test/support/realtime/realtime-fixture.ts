import { hashSync } from 'bcryptjs'
import type { Command } from '../../../realtime/commands/command.ts'
import { commands } from '../../../realtime/commands/commands.ts'
import { createRealtimeMetrics, type RealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { composeGame } from '../../../realtime/node/compose-game.ts'
import { createPresenceKeeper } from '../../../realtime/node/presence-keeper.ts'
import { createGameZones } from '../../../realtime/zones/game-zones.ts'
import { createZoneReader } from '../../../realtime/zones/zone-reader.ts'
import { createZoneWatch } from '../../../realtime/zones/zone-watch.ts'
import type { Account } from '../../../shared/domain/accounts/account.ts'
import { canAdminister } from '../../../shared/domain/accounts/can-administer.ts'
import { createDeletedAccounts } from '../../../shared/domain/accounts/deleted-accounts.ts'
import { createAccountService } from '../../../shared/domain/accounts/service/create-account-service.ts'
import type { AccountStore } from '../../../shared/domain/accounts/store/account-store.ts'
import { createMemoryAccountStore } from '../../../shared/domain/accounts/store/memory-account-store.ts'
import { createApiTokens, joinApiTokens } from '../../../shared/domain/api-tokens/api-tokens.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { createClientAddresses } from '../../../shared/domain/auth/client-address.ts'
import type { ServerConfig } from '../../../shared/domain/configs/server/server-config.ts'
import type { MadeChange } from '../../../shared/domain/history/block-change.ts'
import type { HistoryBook } from '../../../shared/domain/history/history-book.ts'
import { createJobService } from '../../../shared/domain/jobs/job-service.ts'
import type { ModuleSources } from '../../../shared/domain/modules/module-source.ts'
import { createMemoryNodeReports } from '../../../shared/domain/node-reports/node-reports-memory.ts'
import type { GroupsConfig } from '../../../shared/domain/permissions/groups-config.ts'
import { createPermissions } from '../../../shared/domain/permissions/permissions.ts'
import type { NodeFacts } from '../../../shared/domain/presence/presence.ts'
import { createMemoryPresence } from '../../../shared/domain/presence/presence-memory.ts'
import { createMemoryWhereabouts } from '../../../shared/domain/presence/whereabouts.ts'
import { createMemorySessionStore } from '../../../shared/domain/sessions/session-store-memory.ts'
import { createWorldService } from '../../../shared/domain/worlds/create-world-service.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { createZoneService } from '../../../shared/domain/zones/create-zone-service.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import type { Coordination } from '../../../shared/services/coordination.ts'
import { createSanctions } from '../accounts/sanctions-in-memory.ts'
import { createMemoryTokenStore } from '../auth/memory-tokens.ts'
import { createFixedConfigs } from '../configs/fixed-configs.ts'
import { createCapturedLog } from '../time/silent-log.ts'
import { createFaultyChunkStore } from '../worlds/faulty-chunk-store.ts'
import { createFlatWorld, flatBlocks } from '../worlds/flat-world.ts'

const groups: GroupsConfig = {
  groups: [
    { name: 'player', permissions: ['world.build', 'command.who'] },
    { name: 'moderator', permissions: ['command.kick', 'command.tp', 'command.say'], inherits: ['player'] },
  ],
  defaultGroups: ['player'],
}

export type RealtimeFixtureOptions = {
  readonly clock: Clock
  readonly settings?: Partial<ServerConfig['realtime']>
  readonly extraCommands?: readonly Command[]
  /** True while zones are not loaded. */
  readonly zonesUnknown?: boolean
  /** State that this node shares with others. */
  readonly shared?: Partial<SharedByNodes>
  /** The world that it announces to others. */
  readonly tellsWorld?: string
  readonly metrics?: RealtimeMetrics
  readonly moduleSources?: ModuleSources
  /** `modules.yaml`. */
  readonly modules?: object
}

/** State that nodes share; by default a node has its own in memory. */
export type SharedByNodes = Pick<Coordination, 'tokens' | 'events' | 'presence' | 'whereabouts' | 'nodeReports'> & {
  readonly accountStore: AccountStore
  readonly store: Store
}

const factsOf = (world: string | undefined): NodeFacts | undefined =>
  world === undefined
    ? undefined
    : { world, fence: 1, state: 'ready', url: '', internalUrl: '', maxSessions: 1000, startedAt: 0, version: '0.0.0' }

/** A real-time node in memory, without sockets and with manual ticks; otherwise wired as in production. */
export const createRealtimeFixture = ({
  clock,
  settings = {},
  extraCommands = [],
  zonesUnknown = false,
  shared,
  tellsWorld,
  metrics = createRealtimeMetrics(),
  moduleSources,
  modules = {},
}: RealtimeFixtureOptions) => {
  const { log, lines } = createCapturedLog()
  const ids = systemIds
  const configs = createFixedConfigs({ groups, blocks: flatBlocks, server: { realtime: settings }, modules })
  const permissions = createPermissions(configs.get('groups.yaml'), clock)
  const store = shared?.store ?? createMemoryStore()
  const audit = createStoreAuditLog(store)
  const accountStore =
    shared?.accountStore ?? createMemoryAccountStore({ isAdministrator: (account) => canAdminister(permissions, account), audit })
  const signInTokens = shared?.tokens ?? createMemoryTokenStore({ clock, ids })
  const events = shared?.events ?? createMemoryEventBus({ log })
  const apiTokens = createApiTokens({
    store,
    tokens: signInTokens,
    events,
    audit,
    emailOf: async (playerId) => (await accountStore.findByPlayerId(playerId))?.email,
    clock,
    ids,
    log,
  })
  const tokens = joinApiTokens(signInTokens, apiTokens)
  const whereabouts = shared?.whereabouts ?? createMemoryWhereabouts()
  const passwords = { hash: async (password: string) => hashSync(password, 4) }
  const { sanctions, activeSanctions, reports } = createSanctions({
    store,
    accountStore,
    permissions,
    tokens,
    events,
    clock,
    ids,
    log,
  })
  const deletedAccounts = createDeletedAccounts({ store, clock })
  const accounts = createAccountService({
    accountStore,
    deletedAccounts,
    permissions,
    passwords,
    tokens,
    events,
    isBanned: (email) => activeSanctions.findBan(email) !== undefined,
    moveSanctions: async () => undefined,
    clock,
    ids,
    log,
  })
  const chunks = createFaultyChunkStore(createMemoryChunkStore())
  /** The changes that a history would record, oldest first. */
  const made: MadeChange[] = []
  const history: HistoryBook = {
    note: async (changes) => {
      made.push(...changes)
      return []
    },
    prune: () => [],
    settle: () => {},
  }
  const world = createFlatWorld({ store, clock, log, chunks, history })
  const worlds = createWorldService({ store, chunks, configs, clock, ids, activeName: world.record.name })
  const zoneService = createZoneService({ store, chunks, worlds, configs, events, clock, ids, log })
  const zones = createGameZones()
  const { name: worldName } = world.record
  const zoneWatch = createZoneWatch({
    readChanged: createZoneReader({ store, worldName, intake: zones, log }),
    worldName,
    events,
    log,
  })
  const gameZones = { ...zones, check: zoneWatch.check }
  if (!zonesUnknown) zones.complete()
  const realtime = () => configs.get('server.yaml').realtime
  const presence = shared?.presence ?? createMemoryPresence({ clock })
  const nodeReports = shared?.nodeReports ?? createMemoryNodeReports({ clock })
  const keptSessions = createMemorySessionStore({ clock })
  const nodeId = ids.uuid()
  const presenceKeeper = createPresenceKeeper({ node: presence.openNode(nodeId), facts: () => factsOf(tellsWorld), log })
  const { loop, server, origins, link, chatLog, watch, sessionKeeper, moduleHost, composedModules } = composeGame(
    {
      accounts,
      accountStore,
      audit,
      checkReloaded: async (report) => ({ ...report, modules: [], warnings: [] }),
      chunks,
      clock,
      configs,
      deletedAccounts,
      events,
      ids,
      jobs: createJobService({ store, events, clock, ids }),
      log,
      loopbackPages: false,
      nodeReports,
      permissions,
      presence,
      reports,
      sanctions,
      activeSanctions,
      store,
      tokens,
      whereabouts,
      worlds,
      zones: zoneService,
    },
    {
      nodeId,
      clients: createClientAddresses({ trustedProxies: () => configs.get('server.yaml').http.trustedProxies }),
      serverVersion: '0.0.0',
      metrics,
      baseUrl: 'http://127.0.0.1:3000',
      presenceKeeper,
      world: { ...world, lease: { fence: 1, isHeld: () => true, isLost: () => false } },
      sessions: keptSessions.openWorld(world.record.id, 1),
      gameZones,
      takeTiles: world.storedTiles.take,
      commands: [...commands, ...extraCommands],
      ...(moduleSources !== undefined && { moduleSources }),
    },
  )

  const addAccount = async (name: string, accountGroups: readonly string[] = ['player']): Promise<Account> => {
    const account: Account = {
      email: `${name}@example.com`,
      playerId: ids.uuid(),
      displayName: name,
      groups: [...accountGroups],
      createdAt: new Date(clock.now()).toISOString(),
    }
    return accountStore.change(account.email, () => ({ next: account, result: account }))
  }
  const signIn = ({ playerId }: Account, verified = true): Promise<string> =>
    tokens.issue({ playerId, verified, signInId: ids.uuid(), signedInAt: clock.now() })
  const createApiToken = async (
    { playerId, email }: Account,
    permissions: readonly string[],
    more: { readonly expiresAt?: string } = {},
  ) => {
    const actor = { email, via: 'http', requestId: ids.uuid() } as const
    const { token, created } = await apiTokens.create({ playerId, actor, target: email }, { name: 'bot', permissions, ...more })
    const remove = () => apiTokens.end({ playerId, actor, target: email }, created.id)
    return { token, id: created.id, remove }
  }

  return {
    loop,
    moduleHost,
    composedModules,
    server,
    origins,
    link,
    nodeId,
    whereabouts,
    nodeReports,
    keptSessions,
    sessionKeeper,
    watch,
    gameZones: zones,
    worlds,
    zones: zoneService,
    zoneWatch,
    accounts,
    accountStore,
    tokens,
    events,
    chatLog,
    presence,
    presenceKeeper,
    permissions,
    configs,
    store,
    audit,
    sanctions,
    activeSanctions,
    reports,
    ids,
    chunks,
    world,
    made,
    settings: realtime,
    log,
    lines,
    clock,
    addAccount,
    signIn,
    apiTokens,
    createApiToken,
  }
}

export type RealtimeFixture = ReturnType<typeof createRealtimeFixture>
