import type { AuditLog } from '../shared/audit/audit-log.ts'
import type { BlocksConfig } from '../shared/configs/blocks/blocks-config.ts'
import type { ServerConfig } from '../shared/configs/server/server-config.ts'
import type { Clock } from '../shared/kernel/clock.ts'
import type { Ids } from '../shared/kernel/ids.ts'
import type { Permissions } from '../shared/permissions/permissions.ts'
import type { SanctionsInForce } from '../shared/sanctions/in-force/sanctions-in-force.ts'
import type { SanctionService } from '../shared/sanctions/sanction-service.ts'
import type { Command, LivePlayers } from './commands/command.ts'
import type { CommandExecutor } from './commands/executor/executor.ts'
import { joinLiveAccounts } from './feeds/door/feed-accounts.ts'
import { createBroadcasts } from './game/broadcasts.ts'
import type { Game } from './game/game.ts'
import { createGameFeeds, type GameFeeds, type GameFeedsDeps } from './game/game-feeds.ts'
import { createInbox } from './game/inbox.ts'
import { createLiveAccounts, type LiveAccounts } from './game/live-accounts.ts'
import { createLiveConfigs } from './game/live-configs.ts'
import { createLivePlayers } from './game/live-players.ts'
import { createRefs } from './game/refs.ts'
import { createInterest } from './interest/interest.ts'
import { followWith } from './links/follow-with.ts'
import type { LinkedGame, NodeLink } from './links/node-link.ts'
import { createPlayersHere } from './links/players-here.ts'
import { costOf, handleMessage } from './messages/list.ts'
import { createTraffic, type RealtimeMetrics, type RealtimeState, type Traffic } from './metrics/realtime-metrics.ts'
import type { PresenceKeeper } from './presence-keeper.ts'
import type { ClientMessageKind } from './protocol/messages.ts'
import { createAdmission } from './sessions/admission.ts'
import { createAttachments } from './sessions/attachments.ts'
import type { AuthenticateDeps } from './sessions/authenticate.ts'
import { createEntryRules } from './sessions/entry-rules.ts'
import type { RestoredSession } from './sessions/restored-sessions.ts'
import type { Session, SessionConnection } from './sessions/session.ts'
import { createSessionAccess } from './sessions/session-access.ts'
import type { SessionKeeper } from './sessions/session-keeper.ts'
import { createSessions } from './sessions/sessions.ts'
import { createWarnings } from './sessions/warnings.ts'
import type { Closing } from './socket/closing.ts'
import type { ConnectionEvents } from './socket/connection.ts'
import { type ChangeBlocks, createChangeBlocks, type WatchBlocks } from './world/edits/change-blocks.ts'
import { createGameWorld } from './world/game-world.ts'
import type { NodeWorld } from './world/node-world.ts'
import type { GameZones } from './zones/game-zones.ts'
import { createSessionPlaces } from './zones/session-places.ts'
import { createZonePresences } from './zones/zone-presence.ts'

export type GameLoopDeps = Omit<AuthenticateDeps, 'places'> &
  Pick<GameFeedsDeps, 'takeTiles'> & {
    readonly permissions: Permissions
    readonly audit: AuditLog
    readonly sanctions: Pick<SanctionService, 'noteSeen'>
    readonly sanctionsInForce: SanctionsInForce
    readonly commands: readonly Command[]
    /** Called once, with the players that commands act on. */
    readonly createExecutor: (live: LivePlayers) => CommandExecutor
    /** `realtime` of `server.yaml` as it is in force. */
    readonly settings: () => ServerConfig['realtime']
    readonly world: NodeWorld
    readonly zones: GameZones
    readonly presenceKeeper: Pick<PresenceKeeper, 'enter' | 'leave'>
    readonly link: Pick<NodeLink, 'tell' | 'enter' | 'leave'>
    readonly sessionKeeper: Pick<SessionKeeper, 'keep' | 'end' | 'step'>
    readonly serverVersion: string
    readonly clock: Clock
    readonly ids: Ids
    readonly metrics: RealtimeMetrics
  }

/** Owns every piece of live state. Nothing changes but in a tick; a tick waits for nothing. */
export type GameLoop = GameFeeds & {
  /** Takes what arrived, then steps; `nowMs` on the clock that never goes back. */
  tick(nowMs: number): void
  readonly tickRate: number
  /** How it is at this moment. */
  state(): RealtimeState
  readonly connections: ConnectionEvents<Session>
  readonly traffic: Traffic
  readonly live: LivePlayers
  readonly accounts: LiveAccounts
  readonly changeBlocks: ChangeBlocks
  readonly watchReplaced: WatchBlocks
  /** What other nodes have a part in. */
  readonly linked: LinkedGame
  /** Configs were read again: what the game took over of them counts from the next tick on. */
  refreshConfigs(blocks: BlocksConfig): void
  /** Nothing outside is waited for: no command is running, nobody is being checked, no edit waits to be durable. */
  isIdle(): boolean
  /** Takes over sessions of nodes before, which wait for their players from now on; before the first tick. */
  restore(sessions: readonly RestoredSession[]): void
  /** From now on whoever connects is told to go, and what clients send is passed over, but for who leaves; what is under way is finished by further ticks. */
  windUp(closing: Closing): void
}

/** A node without players. The tick rate is that of the start; other settings are read as they are. */
export const createGameLoop = (deps: GameLoopDeps): GameLoop => {
  const { clock, ids, log, store, permissions, metrics, settings, commands, zones } = deps
  const { tickRate } = settings()
  const inbox = createInbox(log)
  const refs = createRefs()
  const traffic = createTraffic()
  const sessions = createSessions(followWith(deps.presenceKeeper, deps.link), deps.sessionKeeper)
  const interest = createInterest()
  const presences = createZonePresences({ zones, listVisitors: sessions.all })
  const broadcasts = createBroadcasts({ sessions, settings, tell: deps.link.tell, metrics, log })
  const live = createLivePlayers(
    () => game,
    (playerId) => admission.noteChange(playerId),
  )
  const executor = deps.createExecutor(live)
  const entry = createEntryRules(deps)
  const turnOut = (session: Session, closing: Closing): void => {
    // It may have ended since it was put down to be looked at.
    if (sessions.find(session.account.playerId) === session) attachments.end(session, closing)
  }
  const { placeAt, placeOf } = createSessionPlaces(zones, deps.world.record.name)
  const access = createSessionAccess({ permissions, executor, interest, ids, entry, placeOf, turnOut })
  let tickMs = clock.monotonic()
  let ticks = 0
  let isWindingUp = false
  const world = createGameWorld({
    world: deps.world,
    ...{ zones, interest, access, placeAt },
    nowMs: () => tickMs,
    changed: (changes) => feeds.tell(changes),
    metrics,
  })
  const { feeds, worldFeeds } = createGameFeeds({
    ...{ ...deps, world, tickRate },
    players: () => Array.from(sessions.all(), ({ body }) => body),
    ...{ enqueue: inbox.pushTask, later: inbox.pushLater },
  })

  const game: Game = {
    interest,
    world,
    sessions,
    access,
    broadcasts,
    executor,
    commands,
    store,
    sanctionsInForce: deps.sanctionsInForce,
    clock,
    ids,
    log,
    metrics,
    nowMs: () => tickMs,
    viewRadiusMax: () => settings().viewRadius,
    later: inbox.pushLater,
    enqueue: inbox.pushTask,
    endSession: (session, closing) => attachments.end(session, closing),
  }
  const configs = createLiveConfigs(game)
  const warnings = createWarnings({ ...deps, game })
  const facts = () => ({
    worldName: world.record.name,
    blocks: configs.blocks(),
    serverVersion: deps.serverVersion,
    nowMs: deps.clock.now(),
    tickRate,
    resumeSeconds: settings().resumeSeconds,
    motd: settings().motd,
  })
  const attachments = createAttachments({ game, refs, settings, facts, warnings })
  const admission = createAdmission({ game, attachments, refs, checks: { ...deps, places: world.places }, settings, entry })

  const players = createLiveAccounts({ game, admission, entry, warnings })
  const accounts = joinLiveAccounts([players, feeds.accounts, worldFeeds.accounts])

  // The check of a token begins at once, so that a player waits for one tick and not for two; the session is made in a tick.
  const receive = (connection: SessionConnection, message: ClientMessageKind): void => {
    if (message.$case === 'connect' && connection.session === undefined) admission.connect(connection, message.value)
    else if (!isWindingUp || message.$case === 'disconnect') inbox.pushMessage(connection, message)
  }

  const handle = (connection: SessionConnection, message: ClientMessageKind): void => {
    const { session } = connection
    if (session === undefined) return
    warnings.heard(session)
    handleMessage(game, session, message)
  }

  const state = (): RealtimeState => {
    const { columns: chunkWrites, records: terrainWrites } = world.writer.waiting()
    const queues = { chunkWrites, terrainWrites, edits: world.journal.pending(), places: world.places.waiting() }
    return {
      sessions: sessions.count(),
      feeds: feeds.count() + worldFeeds.count(),
      columns: world.loaded.stats(),
      queues: { ...inbox.depths(), ...queues },
    }
  }

  const report = (startedMs: number, sincePreviousMs: number): void => {
    const tookMs = clock.monotonic() - startedMs
    world.tickTimes.add(tookMs)
    metrics.observeTick(tookMs / 1000, sincePreviousMs / 1000, traffic)
    Object.assign(traffic, createTraffic())
  }

  return {
    ...{ tickRate, state, traffic, live, accounts, feeds, worldFeeds, watchReplaced: world.journal.watchReplaced },
    changeBlocks: createChangeBlocks(world.journal, inbox.pushTask),
    linked: { here: createPlayersHere(game), hear: broadcasts.hear },
    connections: {
      received: receive,
      closed: (connection) => inbox.pushTask(() => attachments.detach(connection)),
      costOf,
    },
    tick: (nowMs) => {
      const startedMs = clock.monotonic()
      const sincePreviousMs = nowMs - tickMs
      tickMs = nowMs
      ticks += 1
      broadcasts.beginTick(nowMs)
      configs.step()
      world.loaded.step()
      zones.step()
      inbox.drain(handle)
      admission.step()
      access.step()
      attachments.expire(nowMs, admission.isAwaited)
      presences.step()
      feeds.edit()
      world.edits.step()
      feeds.step(nowMs)
      worldFeeds.step(nowMs)
      broadcasts.flush()
      interest.flush()
      world.streaming.step(ticks)
      world.places.step(nowMs)
      deps.sessionKeeper.step(nowMs)
      refs.settle()
      report(startedMs, sincePreviousMs)
    },
    refreshConfigs: (blocks) => {
      configs.refresh(blocks)
      inbox.pushTask(() => access.review(sessions.all()))
    },
    isIdle: () => inbox.isIdle() && world.journal.pending() === 0,
    restore: (kept) => {
      admission.restore(kept)
      accounts.sanctionsChanged()
    },
    windUp: (closing) => {
      isWindingUp = true
      admission.refuseArrivals(closing)
    },
  }
}
