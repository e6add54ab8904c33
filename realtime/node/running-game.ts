import { sweepGrants } from '../../shared/domain/accounts/grants/sweep-grants.ts'
import { worldPlace } from '../../shared/domain/jobs/job.ts'
import { createJobRunner } from '../../shared/domain/jobs/job-runner.ts'
import { repeat } from '../../shared/kernel/repeat.ts'
import type { Services } from '../../shared/services/wire-services.ts'
import type { LivePlayers } from '../commands/command.ts'
import { createFeedHomes } from '../feeds/news/feed-homes.ts'
import { createFeedZones } from '../feeds/news/feed-zones.ts'
import type { StopReason } from '../game/module-hooks.ts'
import { createPregenKind } from '../jobs/pregen-kind.ts'
import { createRestoreKind } from '../jobs/restore-kind.ts'
import { createRollbackKind } from '../jobs/rollback-kind.ts'
import { createSnapshotKind } from '../jobs/snapshot-kind.ts'
import type { ModuleHost } from '../modules/module-host.ts'
import { createResetZone } from '../modules/reset-zone.ts'
import { readRestoredSessions } from '../sessions/restored-sessions.ts'
import { followSpawn } from '../world/follow-spawn.ts'
import type { OpenWorld } from '../world/open-world.ts'
import { watchForNewerLease } from '../world/watch-for-newer-lease.ts'
import { tellTiles } from '../world/writing/tell-tiles.ts'
import { openGameZones } from '../zones/open-game-zones.ts'
import { createZoneResets } from '../zones/reset-zones.ts'
import { sweepZones } from '../zones/sweep-zones.ts'
import { composeGame, type RunningGameOptions } from './compose-game.ts'
import { followReloads } from './follow-reloads.ts'
import type { GameLoop } from './game-loop.ts'
import type { RealtimeServer } from './server.ts'

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

/** How often grants, zones and resets that are due are looked for, in milliseconds. */
const sweepMs = { grants: 20_000, zones: 5_000, resets: 1_000 } as const

/** How often finished batches of chat are looked for, in milliseconds. */
const chatLogEveryMs = 1_000

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
  const { loop, server, link, chatLog, watch, sessionKeeper, moduleHost, composedModules } = game
  // Modules read the data of restored players when they start.
  loop.restore(restored)
  const endErrors = composedModules?.catchErrors()
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
  const endChatLog = repeat(async () => chatLog.step(), chatLogEveryMs)
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
        () => endErrors?.(),
        endReloads,
        endModuleConfigs,
        endSanctions,
        endSweeping,
        endExpiry,
        endResets,
        endSpawn,
        endChatLog,
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
      await chatLog.flush()
      await sessionKeeper.flush()
      await world.close()
      tiles.close()
    },
    close: server.close,
  }
}
