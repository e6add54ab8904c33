import type { ClientAddresses } from '../../shared/domain/auth/client-address.ts'
import type { ModuleSources } from '../../shared/domain/modules/module-source.ts'
import type { NodeDirectory } from '../../shared/domain/presence/node-directory.ts'
import type { WorldSessions } from '../../shared/domain/sessions/session-store.ts'
import type { Services } from '../../shared/services/wire-services.ts'
import type { Command, LivePlayers } from '../commands/command.ts'
import { createCommandList } from '../commands/command-list.ts'
import { commands as allCommands } from '../commands/commands.ts'
import { createCommandExecutor } from '../commands/executor/executor.ts'
import { watchExecutor } from '../commands/executor/watch-executor.ts'
import { createLandControl } from '../commands/land/land-control.ts'
import type { WorldFeedsDeps } from '../feeds/world/world-feeds.ts'
import { createChatLogWriter } from '../game/chat-log-writer.ts'
import type { Game } from '../game/game.ts'
import { createRevocationWatch } from '../game/players/revocation-watch.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import { type ComposedModules, composeModules } from '../modules/compose-modules.ts'
import type { GameModules } from '../modules/game-modules.ts'
import type { createResetZone } from '../modules/reset-zone.ts'
import { createNodeLink } from '../node-links/node-link.ts'
import { createSessionKeeper } from '../sessions/session-keeper.ts'
import type { NodeWorld } from '../world/node-world.ts'
import type { OpenWorld } from '../world/open-world.ts'
import type { SpawnControl } from '../world/world-of-node.ts'
import type { GameZones } from '../zones/game-zones.ts'
import type { OpenGameZones } from '../zones/open-game-zones.ts'
import { createGameLoop } from './game-loop.ts'
import type { PresenceKeeper } from './presence-keeper.ts'
import { createRealtimeServer } from './server.ts'

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
  'accountStore' | 'accounts' | 'audit' | 'checkReloaded' | 'chunks' | 'clock' | 'configs' | 'deletedAccounts'
> &
  Pick<Services, 'events' | 'ids' | 'jobs' | 'log' | 'loopbackPages' | 'nodeReports' | 'permissions' | 'presence' | 'reports'> &
  Pick<Services, 'sanctions' | 'activeSanctions' | 'store' | 'tokens' | 'whereabouts' | 'worlds' | 'zones'>

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
  const chatLog = createChatLogWriter({
    ...services,
    nodeId,
    world: record.name,
    isOn: () => configs.get('server.yaml').chat.keepDays > 0,
    metrics,
  })
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
      { commands: commandList, metrics },
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
    chatLog,
    sessionKeeper,
  })
  const watch = createRevocationWatch({ ...services, live: loop.accounts })
  const origins = () => ({ baseUrl, loopbackPages: services.loopbackPages, ...configs.get('server.yaml').http })
  const server = createRealtimeServer({ ...services, loop, settings, origins, clients, metrics })
  return { loop, server, origins, link, chatLog, watch, sessionKeeper, moduleHost: composed?.host, composedModules: composed }
}
