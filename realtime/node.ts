import { createServiceReadiness } from '../shared/readiness/service-readiness.ts'
import type { Services } from '../shared/services.ts'
import type { LivePlayers } from './commands/command.ts'
import { commands } from './commands/commands.ts'
import { createCommandExecutor } from './commands/executor.ts'
import { createFeedZones } from './feeds/feed-zones.ts'
import { followReloads } from './follow-reloads.ts'
import { createGameLoop } from './game-loop.ts'
import { createHealthAnswers } from './health.ts'
import { createPresenceKeeper } from './presence-keeper.ts'
import type { RealtimeMetrics } from './realtime-metrics.ts'
import { createRevocationWatch } from './revocation-watch.ts'
import { createRealtimeServer, type RealtimeServer } from './server.ts'
import { openWorld, type WorldTenure } from './world/open-world.ts'
import { openGameZones } from './zones/open-game-zones.ts'

export type NodeOptions = {
  readonly serverVersion: string
  readonly metrics: RealtimeMetrics
  readonly tenure: WorldTenure
  /** The server's address as people know it. */
  readonly baseUrl: string
}

/** The real-time node, ticking; `close` tells every player when to come again and resolves when all are gone. */
export type RealtimeNode = Pick<RealtimeServer, 'handleUpgrade' | 'close'> & {
  readonly live: LivePlayers
  /** Called once, when another node may run the world from now on: this one must stop. */
  onWorldLost(listener: () => void): void
  /** Opens a listener of its own, which answers `/healthz` and `/readyz` too; resolves to its port. */
  listen(port: number, host: string): Promise<number>
}

/** Opens the active world, wires the real-time half to the services and starts its ticks. Throws what `openWorld` throws. */
export const startNode = async (services: Services, options: NodeOptions): Promise<RealtimeNode> => {
  const { configs, clock, ids, log } = services
  const { serverVersion, metrics, tenure, baseUrl } = options
  const world = await openWorld(services, tenure)
  const zones = await openGameZones({ ...services, worldName: world.record.name })
  const presenceKeeper = createPresenceKeeper({ node: services.presence.openNode(ids.uuid()), log })
  const settings = () => configs.get('server.yaml').realtime
  const createExecutor = (live: LivePlayers) =>
    createCommandExecutor({ commands, deps: { ...services, live, world: world.control, gameZones: zones }, log })
  const loop = createGameLoop({
    ...{ ...services, commands, createExecutor, settings, world, zones, presenceKeeper, serverVersion, metrics },
  })
  const watch = createRevocationWatch({ ...services, live: loop.accounts })
  const readiness = createServiceReadiness(services)
  const origins = () => ({ baseUrl, ...configs.get('server.yaml').http })
  const server = createRealtimeServer({ loop, settings, origins, clock, ids, log, metrics })
  const feedZones = createFeedZones({ ...services, feeds: loop.feeds })
  feedZones.start().catch((error: unknown) => log.error({ err: error }, 'feeds notice changes of zones by asking only'))
  // Not waited for: with Redis away the node starts all the same, and asks the stores until events arrive.
  watch.start().catch((error: unknown) => log.error({ err: error }, 'changes of accounts are noticed by asking only'))
  const endReloads = followReloads({ configs, loop, server })
  server.start()
  presenceKeeper.start()
  return {
    live: loop.live,
    handleUpgrade: server.handleUpgrade,
    onWorldLost: world.onLost,
    listen: (port, host) => server.listen(port, host, createHealthAnswers(readiness)),
    close: async (closing) => {
      readiness.beginShutdown()
      await server.close(closing)
      await presenceKeeper.close()
      endReloads()
      feedZones.close()
      watch.close()
      zones.close()
      await world.close()
    },
  }
}
