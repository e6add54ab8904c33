import { sweepGrants } from '../../shared/domain/accounts/grants/sweep-grants.ts'
import type { ClientAddresses } from '../../shared/domain/auth/client-addresses.ts'
import { worldPlace } from '../../shared/domain/jobs/job.ts'
import { createJobRunner } from '../../shared/domain/jobs/job-runner.ts'
import type { ModuleSources } from '../../shared/domain/modules/module-source.ts'
import type { NodeDirectory } from '../../shared/domain/presence/node-directory.ts'
import type { WorldSessions } from '../../shared/domain/sessions/session-store.ts'
import { repeat } from '../../shared/kernel/repeat.ts'
import type { Services } from '../../shared/services/services.ts'
import type { Command, LivePlayers } from '../commands/command.ts'
import { createCommandList } from '../commands/command-list.ts'
import { commands as allCommands } from '../commands/commands.ts'
import { createCommandExecutor } from '../commands/executor/executor.ts'
import { watchExecutor } from '../commands/executor/watch-executor.ts'
import { createLandControl } from '../commands/land/land-control.ts'
import { createFeedHomes } from '../feeds/news/feed-homes.ts'
import { createFeedZones } from '../feeds/news/feed-zones.ts'
import type { WorldFeedsDeps } from '../feeds/world/world-feeds.ts'
import type { Game } from '../game/game.ts'
import type { StopReason } from '../game/module-hooks.ts'
import { createRevocationWatch } from '../game/players/revocation-watch.ts'
import { createPregenKind } from '../jobs/pregen-kind.ts'
import { createRestoreKind } from '../jobs/restore-kind.ts'
import { createRollbackKind } from '../jobs/rollback-kind.ts'
import { createSnapshotKind } from '../jobs/snapshot-kind.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import { type ComposedModules, composeModules } from '../modules/compose-modules.ts'
import type { GameModules } from '../modules/game-modules.ts'
import type { ModuleHost } from '../modules/module-host.ts'
import { createResetZone } from '../modules/reset-zone.ts'
import { createNodeLink } from '../node-links/node-link.ts'
import { readRestoredSessions } from '../sessions/restored-sessions.ts'
import { createSessionKeeper } from '../sessions/session-keeper.ts'
import { followSpawn } from '../world/follow-spawn.ts'
import type { NodeWorld } from '../world/node-world.ts'
import type { OpenWorld } from '../world/open-world.ts'
import { watchForNewerLease } from '../world/watch-for-newer-lease.ts'
import type { SpawnControl } from '../world/world-of-node.ts'
import { tellTiles } from '../world/writing/tell-tiles.ts'
import type { GameZones } from '../zones/game-zones.ts'
import { type OpenGameZones, openGameZones } from '../zones/open-game-zones.ts'
import { createZoneResets } from '../zones/reset-zones.ts'
import { sweepZones } from '../zones/sweep-zones.ts'
import { followReloads } from './follow-reloads.ts'
import { createGameLoop, type GameLoop } from './game-loop.ts'
import type { PresenceKeeper } from './presence-keeper.ts'
import { createRealtimeServer, type RealtimeServer } from './server.ts'

/** A running world with its players on this node. */
export type RunningGame = Pick<RealtimeServer, 'handleUpgrade' | 'close'> & {
  readonly worldName: string
  /** The fence of the lease. */
  readonly fence: number
  readonly live: LivePlayers
  readonly loop: GameLoop
  readonly moduleHost: ModuleHost | undefined
  /** Called once, when another node may run the world. This node must stop then. */
  onWorldLost(listener: () => void): void
  /**
   * Stops handling messages; clients stay connected. When it resolves, world and sessions are stored, and another node may run the
   * world.
   */
  letGo(graceMs: number, reason: Promise<StopReason>): Promise<void>
}

export type RunningGameOptions = {
  readonly nodeId: string
  readonly nodes: NodeDirectory
  readonly clients: ClientAddresses
  readonly serverVersion: string
  readonly metrics: RealtimeMetrics
  /** The public address of the server. */
  readonly baseUrl: string
  readonly presenceKeeper: PresenceKeeper
  /** Absent: the node has no modules. */
  readonly moduleSources?: ModuleSources
  /** Of the random numbers of modules; by default another one in each process. */
  readonly moduleSeed?: number
  /** The caller runs the ticks, as a test game does. */
  readonly isStepped?: boolean
}

/** The services that ticks use. `startGame` needs more, for work outside ticks. */
export type GameServices = Pick<
  Services,
  'accountStore' | 'accounts' | 'audit' | 'chunks' | 'clock' | 'configs' | 'deletedAccounts'
> &
  Pick<Services, 'events' | 'ids' | 'jobs' | 'log' | 'loopbackPages' | 'nodeReports' | 'permissions' | 'presence' | 'reports'> &
  Pick<Services, 'sanctions' | 'activeSanctions' | 'store' | 'tokens' | 'tracing' | 'whereabouts' | 'worlds' | 'zones'>

export type ComposeGameOptions = Omit<RunningGameOptions, 'nodes'> & {
  readonly world: NodeWorld & { readonly lease: Pick<OpenWorld['lease'], 'fence' | 'isHeld' | 'isLost'> }
  readonly sessions: WorldSessions
  readonly gameZones: GameZones & Pick<OpenGameZones, 'check'>
  /** Changed map tiles that feeds may report now. */
  readonly takeTiles: WorldFeedsDeps['takeTiles']
  /** Restores a zone from a snapshot, for modules. Absent: not possible. */
  readonly resetZone?: ReturnType<typeof createResetZone>
  /** All commands of the server if absent. */
  readonly commands?: readonly Command[]
}

/** How often grants, zones and resets that are due are looked for, in milliseconds. */
const sweepMs = { grants: 20_000, zones: 5_000, resets: 1_000 } as const

const refuseReset = async (): Promise<void> => {
  throw new Error('unavailable')
}

/** Connects the parts of a game. Ticks, timers and events start in `startGame`. Tests step the loop by hand. */
export const composeGame = (services: GameServices, options: ComposeGameOptions) => {
  const { configs, log } = services
  const { nodeId, clients, serverVersion, metrics, baseUrl, presenceKeeper, world, sessions, gameZones } = options
  const { commands = allCommands } = options
  const { record, lease } = world
  const commandList = createCommandList(commands)
  const settings = () => configs.get('server.yaml').realtime
  const { tickRate } = settings()
  const sessionKeeper = createSessionKeeper({ sessions, lease, resumeSeconds: () => settings().resumeSeconds, tickRate, log })
  const link = createNodeLink({ ...services, nodeId, isHeld: lease.isHeld })
  /** Stored sessions include places, so they must not be older than the saved places. */
  const save = async () => {
    const saved = await world.control.save()
    await composed?.flush()
    await sessionKeeper.flush()
    return saved
  }
  const land = createLandControl({ ...services, world: record, settle: world.writer.settle })
  const spawn: SpawnControl = {
    find: () => world.spawn.find(),
    set: async (actor, { x, y, z, yaw }) => {
      const to = { x, y, z, yaw }
      await services.worlds.setSpawn(record.name, to, actor)
      world.spawn.move(to)
    },
  }
  let composed: ComposedModules | undefined
  const createExecutor = (live: LivePlayers) =>
    watchExecutor(
      createCommandExecutor({
        commands: commandList,
        deps: {
          ...services,
          baseUrl,
          land,
          spawn,
          live,
          elsewhere: link.elsewhere,
          world: { ...world.control, save },
          gameZones,
          modules: () => composed?.host,
        },
        log,
      }),
      { commands: commandList, metrics, tracing: services.tracing },
    )
  const createModules = (getGame: () => Game, enqueue: Game['enqueue']): GameModules => {
    const { moduleSources: sources, moduleSeed, resetZone = refuseReset } = options
    const seed = moduleSeed === undefined ? {} : { seed: moduleSeed }
    const parts = { nodeId, world, tickRate, metrics, sources, commandList, zones: gameZones, resetZone }
    composed = composeModules({ ...services, ...seed, ...parts }, getGame, enqueue)
    return composed.modules
  }
  const loop = createGameLoop({
    ...services,
    commandList,
    createExecutor,
    createModules,
    settings,
    world,
    zones: gameZones,
    serverVersion,
    metrics,
    takeTiles: options.takeTiles,
    presenceKeeper,
    link,
    sessionKeeper,
  })
  const watch = createRevocationWatch({ ...services, live: loop.accounts })
  const origins = () => ({ baseUrl, loopbackPages: services.loopbackPages, ...configs.get('server.yaml').http })
  const server = createRealtimeServer({ ...services, loop, settings, origins, clients, metrics })
  return { loop, server, origins, link, watch, sessionKeeper, moduleHost: composed?.host, composedModules: composed }
}

/** Composes a game, restores sessions of earlier nodes and starts the ticks. */
export const startGame = async (services: Services, world: OpenWorld, options: RunningGameOptions): Promise<RunningGame> => {
  const { configs, log } = services
  const { nodeId, nodes, metrics } = options
  const { record, lease } = world
  const sessions = services.sessions.openWorld(record.id, lease.fence)
  const [gameZones, restored] = await Promise.all([
    openGameZones({ ...services, worldName: record.name }),
    readRestoredSessions({ ...services, sessions }),
  ])
  const tiles = tellTiles({ ...services, nodeId, worldId: record.id, stored: world.storedTiles })
  const resetZone = createResetZone({ ...services, world: record })
  const game = composeGame(services, { ...options, world, sessions, gameZones, takeTiles: tiles.take, resetZone })
  const { loop, server, link, watch, sessionKeeper, moduleHost, composedModules } = game
  // Modules read the data of restored players when they start.
  loop.restore(restored)
  await moduleHost?.start()
  metrics.watch({ tickRate: loop.tickRate, lease, state: loop.state })
  const feedZones = createFeedZones({ ...services, feeds: loop.feeds })
  feedZones.start().catch((error: unknown) => log.error({ err: error }, 'no events for zones of feeds; polling instead'))
  const feedHomes = createFeedHomes({ ...services, nodeId, nodes, feeds: loop.feeds })
  feedHomes.start().catch((error: unknown) => log.error({ err: error }, 'no events for nodes of feeds; polling instead'))
  // Not awaited: without Redis the node starts anyway, and polls the stores until events arrive.
  watch.start().catch((error: unknown) => log.error({ err: error }, 'no events for accounts; polling instead'))
  link.start(loop.linked).catch((error: unknown) => log.error({ err: error }, 'no events from other nodes'))
  let endModules = (): void => undefined
  composedModules
    ?.link()
    .then((end) => {
      endModules = end
    })
    .catch((error: unknown) => log.error({ err: error }, 'no orders about modules from other processes'))
  const endReloads = followReloads({ configs, loop, server })
  const endModuleConfigs = configs.onReload((names) => void moduleHost?.configsChanged(names))
  const endSanctions = services.activeSanctions.onChange(server.sanctionsChanged)
  const endSweeping = repeat(() => sweepGrants(services), sweepMs.grants)
  const endExpiry = repeat(() => sweepZones({ ...services, gameZones }), sweepMs.zones)
  const endResets = repeat(
    createZoneResets({ ...services, gameZones, world: record, players: loop.live.listPlayers }).sweep,
    sweepMs.resets,
  )
  const endRetention = services.retention.keepUp()
  const endLeaseWatch = watchForNewerLease({ nodes, worldName: record.name, lease })
  const endSpawn = followSpawn({ ...services, worldName: record.name, spawn: world.spawn })
  if (options.isStepped !== true) server.start()
  const jobRunner = createJobRunner({
    ...services,
    place: worldPlace(record.id),
    kinds: [
      createPregenKind({ ...services, world }),
      createRollbackKind({ ...services, world, loop }),
      createSnapshotKind({ ...services, world, loop }),
      createRestoreKind({ ...services, world, loop }),
    ],
    isHeld: lease.isHeld,
  })
  return {
    worldName: record.name,
    fence: lease.fence,
    live: loop.live,
    loop,
    moduleHost,
    handleUpgrade: server.handleUpgrade,
    onWorldLost: world.onLost,
    letGo: async (graceMs, reason) => {
      await jobRunner.close()
      await server.freeze(graceMs, await reason)
      for (const stop of [
        () => endModules(),
        endReloads,
        endModuleConfigs,
        endSanctions,
        endSweeping,
        endExpiry,
        endResets,
        endSpawn,
        endRetention,
        endLeaseWatch,
        feedZones.close,
        feedHomes.close,
        watch.close,
        link.close,
        gameZones.close,
      ])
        stop()
      await composedModules?.flush().catch((error: unknown) => log.error({ err: error }, 'values of modules were not written'))
      await sessionKeeper.flush()
      await world.close()
      tiles.close()
    },
    close: server.close,
  }
}
