import { hashSync } from 'bcryptjs'
import type { Command } from '../../realtime/commands/command.ts'
import { commands } from '../../realtime/commands/commands.ts'
import { createCommandExecutor } from '../../realtime/commands/executor.ts'
import { createGameLoop } from '../../realtime/game-loop.ts'
import { createPresenceKeeper } from '../../realtime/presence-keeper.ts'
import { noRealtimeMetrics } from '../../realtime/realtime-metrics.ts'
import { createRevocationWatch } from '../../realtime/revocation-watch.ts'
import { createGameZones } from '../../realtime/zones/game-zones.ts'
import { createZoneReader } from '../../realtime/zones/zone-reader.ts'
import { createZoneWatch } from '../../realtime/zones/zone-watch.ts'
import type { Account } from '../../shared/accounts/account.ts'
import { canAdminister } from '../../shared/accounts/can-administer.ts'
import { createAccountService } from '../../shared/accounts/create-account-service.ts'
import { createMemoryAccountStore } from '../../shared/accounts/memory-account-store.ts'
import { createStoreAuditLog } from '../../shared/audit/store-audit-log.ts'
import { createMemoryTokenStore } from '../../shared/auth/tokens-memory.ts'
import type { GroupsConfig } from '../../shared/configs/groups-config.ts'
import type { ServerConfig } from '../../shared/configs/server-config.ts'
import { createMemoryEventBus } from '../../shared/events/memory.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createPermissions } from '../../shared/permissions/create-permissions.ts'
import { createMemoryPresence } from '../../shared/presence/presence-memory.ts'
import { createMemoryStore } from '../../shared/storage/memory.ts'
import { createMemoryChunkStore } from '../../shared/worlds/chunk-store-memory.ts'
import { createWorldService } from '../../shared/worlds/create-world-service.ts'
import { createZoneService } from '../../shared/zones/create-zone-service.ts'
import { createFaultyChunkStore } from './faulty-chunk-store.ts'
import { createFixedConfigs } from './fixed-configs.ts'
import { createFlatWorld, flatBlocks } from './flat-world.ts'
import { createCapturedLog } from './silent-log.ts'

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
  /** The zones were not read yet. */
  readonly zonesUnknown?: boolean
}

/** A real-time node in memory, without sockets and without its own ticks; everything in it is what production wires. */
export const createRealtimeFixture = ({
  clock,
  settings = {},
  extraCommands = [],
  zonesUnknown = false,
}: RealtimeFixtureOptions) => {
  const { log, lines } = createCapturedLog()
  const ids = systemIds
  const configs = createFixedConfigs({ groups, blocks: flatBlocks, server: { realtime: settings } })
  const permissions = createPermissions(configs.get('groups.yaml'))
  const store = createMemoryStore()
  const audit = createStoreAuditLog(store)
  const accountStore = createMemoryAccountStore({ isAdministrator: (account) => canAdminister(permissions, account), audit })
  const tokens = createMemoryTokenStore({ clock, ids })
  const events = createMemoryEventBus({ log })
  const passwords = { hash: async (password: string) => hashSync(password, 4) }
  const accounts = createAccountService({ accountStore, permissions, passwords, tokens, events, clock, ids, log })
  const chunks = createFaultyChunkStore(createMemoryChunkStore())
  const world = createFlatWorld({ store, clock, log, chunks })
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
  const origins = () => ({ baseUrl: 'http://127.0.0.1:3000', ...configs.get('server.yaml').http })
  const presence = createMemoryPresence({ clock })
  const presenceKeeper = createPresenceKeeper({ node: presence.openNode(ids.uuid()), log })
  const allCommands = [...commands, ...extraCommands]
  const loop = createGameLoop({
    tokens,
    accountStore,
    store,
    log,
    permissions,
    audit,
    commands: allCommands,
    createExecutor: (live) =>
      createCommandExecutor({
        commands: allCommands,
        deps: {
          ...{ accounts, accountStore, permissions, configs, store, audit, clock, ids, live },
          ...{ world: world.control, zones: zoneService, gameZones },
        },
        log,
      }),
    settings: realtime,
    world,
    zones,
    presenceKeeper,
    serverVersion: '0.0.0',
    clock,
    ids,
    metrics: noRealtimeMetrics,
  })
  const watch = createRevocationWatch({ live: loop.accounts, accountStore, tokens, events, permissions, clock, log })

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

  return {
    loop,
    watch,
    gameZones: zones,
    zones: zoneService,
    zoneWatch,
    accounts,
    accountStore,
    tokens,
    events,
    presence,
    presenceKeeper,
    permissions,
    configs,
    store,
    audit,
    ids,
    chunks,
    world,
    settings: realtime,
    origins,
    log,
    lines,
    clock,
    addAccount,
    signIn,
  }
}

export type RealtimeFixture = ReturnType<typeof createRealtimeFixture>
