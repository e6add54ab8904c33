import type { AuditLog } from '../../shared/domain/audit/audit-log.ts'
import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { SanctionsInForce } from '../../shared/domain/sanctions/in-force/sanctions-in-force.ts'
import type { SanctionService } from '../../shared/domain/sanctions/sanction-service.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Command, LivePlayers } from '../commands/command.ts'
import type { CommandExecutor } from '../commands/executor/executor.ts'
import { createBroadcasts } from '../game/broadcasts.ts'
import { createEdgeOfLand } from '../game/edge-of-land.ts'
import type { Game } from '../game/game.ts'
import { createGameWorld } from '../game/game-world.ts'
import { createInbox, type Inbox } from '../game/inbox.ts'
import { createLateness, type Lateness } from '../game/lateness.ts'
import type { AuthenticateDeps } from '../game/players/authenticate.ts'
import { createLivePlayers } from '../game/players/live-players.ts'
import { createSessionPlaces } from '../game/session-places.ts'
import { createInterest } from '../interest/interest.ts'
import type { NodeLink } from '../links/node-link.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import { createEntryRules, type EntryRules } from '../sessions/entry-rules.ts'
import type { Session } from '../sessions/session.ts'
import { createSessionAccess } from '../sessions/session-access.ts'
import { followWith } from '../sessions/session-follower.ts'
import type { SessionKeeper } from '../sessions/session-keeper.ts'
import { createSessions } from '../sessions/sessions.ts'
import type { Closing } from '../socket/closing.ts'
import type { NodeWorld } from '../world/node-world.ts'
import type { GameZones } from '../zones/game-zones.ts'
import { createZonePresences, type ZonePresences } from '../zones/zone-presence.ts'
import { createGameFeeds, type GameFeeds, type GameFeedsDeps } from './game-feeds.ts'
import type { PresenceKeeper } from './presence-keeper.ts'

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

/** What the parts ask of those that are put together after them. */
export type AskedByParts = Pick<Game, 'nowMs' | 'endSession'> & {
  /** Something about this player changed, who may be coming in at this moment. */
  noteChange(playerId: string): void
}

/** The parts of a node's live state. Nothing steps them but the game loop. */
export type GameParts = GameFeeds & {
  readonly game: Game
  readonly inbox: Inbox
  readonly live: LivePlayers
  readonly presences: ZonePresences
  readonly entry: EntryRules
  readonly lateness: Lateness
  /** That of the start. */
  readonly tickRate: number
}

export const createGameParts = (deps: GameLoopDeps, asked: AskedByParts): GameParts => {
  const { clock, ids, log, store, permissions, metrics, settings, commands, zones, sanctionsInForce } = deps
  const { tickRate } = settings()
  const inbox = createInbox(log)
  const lateness = createLateness(tickRate)
  const sessions = createSessions(followWith(deps.presenceKeeper, deps.link), deps.sessionKeeper)
  const interest = createInterest()
  const broadcasts = createBroadcasts({ sessions, settings, tell: deps.link.tell, metrics, log })
  const live = createLivePlayers(() => game, asked.noteChange)
  const executor = deps.createExecutor(live)
  const entry = createEntryRules(deps)
  const turnOut = (session: Session, closing: Closing): void => {
    // It may have ended since it was put down to be looked at.
    if (sessions.find(session.account.playerId) === session) asked.endSession(session, closing)
  }
  const { placeAt, placeOf } = createSessionPlaces(zones, deps.world.record.name)
  const access = createSessionAccess({ permissions, executor, interest, ids, entry, placeOf, turnOut })
  const world = createGameWorld({
    world: deps.world,
    zones,
    interest,
    access,
    placeAt,
    metrics,
    nowMs: asked.nowMs,
    changed: (changes) => feeds.tell(changes),
  })
  const { pushTask: enqueue, pushLater: later } = inbox
  const { feeds, worldFeeds } = createGameFeeds({
    ...deps,
    world,
    tickRate,
    enqueue,
    later,
    lateMs: lateness.totalMs,
    players: () => Array.from(sessions.all(), ({ body }) => body),
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
    sanctionsInForce,
    clock,
    ids,
    log,
    metrics,
    later,
    enqueue,
    edge: createEdgeOfLand(metrics, asked.nowMs),
    nowMs: asked.nowMs,
    viewRadiusMax: () => settings().viewRadius,
    endSession: asked.endSession,
  }
  const presences = createZonePresences({ zones, listVisitors: sessions.all, moved: access.moved })
  return { game, inbox, live, feeds, worldFeeds, presences, entry, lateness, tickRate }
}
