import type { AuditLog } from '../../shared/domain/audit/audit-log.ts'
import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { ActiveSanctions } from '../../shared/domain/sanctions/active/follow-sanctions.ts'
import type { SanctionService } from '../../shared/domain/sanctions/sanction-service.ts'
import type { BlocksConfig } from '../../shared/domain/worlds/blocks-config.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { LivePlayers } from '../commands/command.ts'
import type { CommandList } from '../commands/command-list.ts'
import type { CommandExecutor } from '../commands/executor/executor.ts'
import { joinLiveAccounts } from '../feeds/door/feed-accounts.ts'
import { createWorldFeeds, type WorldFeeds, type WorldFeedsDeps } from '../feeds/world/world-feeds.ts'
import { createZoneFeeds, type ZoneFeeds } from '../feeds/zone-feeds.ts'
import { createBroadcasts } from '../game/broadcasts.ts'
import type { ChatLogWriter } from '../game/chat-log-writer.ts'
import { createEdgeOfLand } from '../game/corrections.ts'
import type { Game } from '../game/game.ts'
import { createGameWorld } from '../game/game-world.ts'
import { createInbox, type Inbox } from '../game/inbox.ts'
import { createLateness, type Lateness } from '../game/lateness.ts'
import { createLiveConfigs, type LiveConfigs } from '../game/live-configs.ts'
import { type ModuleHooks, noteEdited, type StopReason } from '../game/module-hooks.ts'
import { type Admission, createAdmission } from '../game/players/admission.ts'
import { createLiveAccounts, type LiveAccounts } from '../game/players/apply-account-changes.ts'
import { type Attachments, createAttachments } from '../game/players/attachments.ts'
import type { AuthenticateDeps } from '../game/players/authenticate.ts'
import { createFailedSignInNotices } from '../game/players/failed-sign-in-notices.ts'
import { createLivePlayers } from '../game/players/live-players.ts'
import { createLocalPlayers } from '../game/players/local-players.ts'
import { createRefs, type Refs } from '../game/players/refs.ts'
import { createWarnings, type Warnings } from '../game/players/warnings.ts'
import type { WelcomeFacts } from '../game/players/welcome.ts'
import { createSessionScopes } from '../game/zone-rules.ts'
import { createInterest } from '../interest/interest.ts'
import { costOf, editCost, handleMessage } from '../messages/handle-message.ts'
import { commandCost } from '../messages/run-command.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import { createTraffic, type RealtimeState, type Traffic } from '../metrics/realtime-metrics.ts'
import type { LinkedGame, NodeLink } from '../node-links/node-link.ts'
import type { ClientMessageKind } from '../protocol/messages.ts'
import { createEntryRules, type EntryRules } from '../sessions/entry-rules.ts'
import type { RestoredSession } from '../sessions/restored-sessions.ts'
import type { Session, SessionConnection } from '../sessions/session.ts'
import { createSessionAccess } from '../sessions/session-access.ts'
import { followWith } from '../sessions/session-follower.ts'
import type { SessionKeeper } from '../sessions/session-keeper.ts'
import { createSessions } from '../sessions/sessions.ts'
import type { Closing } from '../socket/closing.ts'
import type { ConnectionEvents } from '../socket/connection.ts'
import { type ChangeBlocks, createChangeBlocks, type WatchBlocks } from '../world/edits/change-blocks.ts'
import type { NodeWorld } from '../world/node-world.ts'
import type { GameZones } from '../zones/game-zones.ts'
import { createZonePresences, type ZonePresences } from '../zones/greet-in-zones.ts'
import type { PresenceKeeper } from './presence-keeper.ts'

/** The zone feeds and world feeds of a node. */
type GameFeeds = { readonly feeds: ZoneFeeds; readonly worldFeeds: WorldFeeds }

export type GameLoopDeps = Omit<AuthenticateDeps, 'places' | 'modules'> &
  Pick<WorldFeedsDeps, 'takeTiles'> & {
    readonly permissions: Permissions
    readonly audit: AuditLog
    readonly sanctions: Pick<SanctionService, 'noteSeen'>
    readonly activeSanctions: ActiveSanctions
    readonly commandList: CommandList
    /** Called once, with the game that its modules are in. */
    readonly createModules: (getGame: () => Game, enqueue: Game['enqueue']) => ModuleHooks
    /** Called once, with the players for commands. */
    readonly createExecutor: (live: LivePlayers) => CommandExecutor
    /** The active `realtime` section of `server.yaml`. */
    readonly settings: () => ServerConfig['realtime']
    readonly world: NodeWorld
    readonly zones: GameZones
    readonly presenceKeeper: Pick<PresenceKeeper, 'enter' | 'leave'>
    readonly link: Pick<NodeLink, 'tell' | 'enter' | 'leave'>
    readonly chatLog: Pick<ChatLogWriter, 'note'>
    readonly sessionKeeper: Pick<SessionKeeper, 'keep' | 'end' | 'step'>
    readonly serverVersion: string
    readonly clock: Clock
    readonly ids: Ids
    readonly metrics: RealtimeMetrics
  }

/** The functions that parts need from parts created later. */
type LateBound = Pick<Game, 'nowMs' | 'endSession'> & {
  /** This player has changed. A pending admission is checked again. */
  noteChange(playerId: string): void
}

/** The parts of a node's live state. Only the game loop steps them. */
type GameParts = GameFeeds & {
  readonly game: Game
  readonly inbox: Inbox
  readonly live: LivePlayers
  readonly presences: ZonePresences
  readonly entry: EntryRules
  readonly lateness: Lateness
  /** The tick rate at the start. */
  readonly tickRate: number
}

const createGameParts = (deps: GameLoopDeps, asked: LateBound): GameParts => {
  const { clock, ids, log, store, permissions, metrics, settings, commandList, zones, activeSanctions } = deps
  const { tickRate } = settings()
  const inbox = createInbox(log)
  const lateness = createLateness(tickRate)
  const sessions = createSessions(followWith(deps.presenceKeeper, deps.link), deps.sessionKeeper)
  const interest = createInterest()
  const broadcasts = createBroadcasts({
    sessions,
    settings,
    tell: (lines) => {
      deps.link.tell(lines)
      deps.chatLog.note(lines)
    },
    said: (lines) => worldFeeds.say(lines),
    metrics,
    log,
  })
  const live = createLivePlayers(() => game, asked.noteChange)
  const executor = deps.createExecutor(live)
  const { pushTask: enqueue, pushLater: later } = inbox
  const modules = deps.createModules(() => game, enqueue)
  const entry = createEntryRules(deps)
  const endIfCurrent = (session: Session, closing: Closing): void => {
    // The session may have ended since it was queued.
    if (sessions.find(session.account.playerId) === session) asked.endSession(session, closing)
  }
  const { scopeAt, scopeOf } = createSessionScopes(zones, deps.world.record.name)
  const access = createSessionAccess({ permissions, executor, interest, ids, entry, scopeOf, endIfCurrent })
  const world = createGameWorld({
    world: deps.world,
    zones,
    interest,
    permissions,
    scopeAt,
    metrics,
    modules,
    nowMs: asked.nowMs,
    changed: (changes) => {
      noteEdited(modules, world.registry, changes)
      feeds.tell(changes)
      worldFeeds.tell(changes)
    },
  })
  const feedsDeps = {
    ...deps,
    world,
    tickRate,
    enqueue,
    later,
    lateMs: lateness.totalMs,
    players: () => Array.from(sessions.all(), ({ body }) => body),
  }
  const feeds = createZoneFeeds({ ...feedsDeps, journal: world.journal })
  const worldFeeds = createWorldFeeds({ ...feedsDeps, worldName: world.record.name })
  const game: Game = {
    interest,
    world,
    sessions,
    access,
    broadcasts,
    executor,
    get commands() {
      return commandList.all()
    },
    modules,
    store,
    activeSanctions,
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
  const presences = createZonePresences({
    zones,
    listVisitors: sessions.all,
    moved: (session) => {
      access.moved(session)
      modules.noteZone(session)
    },
  })
  return { game, inbox, live, feeds, worldFeeds, presences, entry, lateness, tickRate }
}

/** The parts that admit, update and remove players. */
type GamePlayers = {
  readonly refs: Refs
  readonly configs: LiveConfigs
  readonly warnings: Warnings
  readonly attachments: Attachments
  readonly admission: Admission
  readonly accounts: LiveAccounts
}

const createGamePlayers = (deps: GameLoopDeps, parts: GameParts): GamePlayers => {
  const { settings, serverVersion, clock } = deps
  const { game, entry, tickRate, feeds, worldFeeds } = parts
  const refs = createRefs()
  const configs = createLiveConfigs(game)
  const warnings = createWarnings({ ...deps, game })
  const failures = createFailedSignInNotices({ game, store: deps.store })
  const facts = (): WelcomeFacts => {
    const { resumeSeconds, viewRadius, motd, messagesPerSecond, messageBurst } = settings()
    return {
      worldName: game.world.record.name,
      blocks: configs.blocks(),
      serverVersion,
      nowMs: clock.now(),
      tickRate,
      resumeSeconds,
      viewRadiusMax: viewRadius,
      limits: { messagesPerSecond, burst: messageBurst, editCost, commandCost },
      motd,
    }
  }
  const attachments = createAttachments({ game, refs, settings, facts, warnings, failures })
  const checks = { ...deps, places: game.world.places, modules: game.modules }
  const admission = createAdmission({ game, attachments, refs, checks, settings, entry })
  const players = createLiveAccounts({ game, admission, entry, warnings })
  const accounts = joinLiveAccounts([players, feeds.accounts, worldFeeds.accounts])
  return { refs, configs, warnings, attachments, admission, accounts }
}

/** Owns all live state. It changes only in ticks, and a tick never waits. */
export type GameLoop = GameFeeds & {
  /** Handles arrived messages and results, then steps. `nowMs` is on the monotonic clock. */
  tick(nowMs: number): void
  readonly tickRate: number
  /** The current state. */
  state(): RealtimeState
  readonly connections: ConnectionEvents<Session>
  readonly traffic: Traffic
  /** The total lateness of ticks (`Lateness`). Clients get credit for it. */
  readonly lateMs: (nowMs: number) => number
  readonly live: LivePlayers
  readonly accounts: LiveAccounts
  readonly changeBlocks: ChangeBlocks
  readonly watchReplaced: WatchBlocks
  /** The interface for other nodes. */
  readonly linked: LinkedGame
  /** Configs were read again. The changes apply from the next tick. */
  refreshConfigs(blocks: BlocksConfig): void
  /** Whether nothing asynchronous is pending: no running command, no token check, no edit that is not durable. */
  isIdle(): boolean
  /** Restores sessions of earlier nodes, which wait for their players. Call it before the first tick. */
  restore(sessions: readonly RestoredSession[]): void
  /** Ends the modules in the next tick. */
  stopModules(reason: StopReason): void
  /** Refuses new connections with `closing`. Clients may only leave. Later ticks finish pending work. */
  stopAccepting(closing: Closing): void
}

type HandleOne = (connection: SessionConnection, message: ClientMessageKind) => void

/** All steps of one tick, in order. */
const step = (deps: GameLoopDeps, parts: GameParts, players: GamePlayers, handle: HandleOne, ticks: number): void => {
  const { game, inbox, presences, feeds, worldFeeds } = parts
  const { world, broadcasts, access, interest, modules } = game
  const { configs, admission, attachments, refs } = players
  const nowMs = game.nowMs()
  broadcasts.beginTick(nowMs)
  configs.step()
  world.loaded.step()
  deps.zones.step()
  inbox.drain(handle)
  modules.settle()
  game.edge.step(nowMs)
  admission.step()
  access.step()
  attachments.expire(nowMs, admission.isAwaited)
  presences.step()
  feeds.edit()
  modules.step()
  world.edits.step()
  feeds.step(nowMs)
  worldFeeds.step(nowMs)
  broadcasts.flush()
  interest.flush()
  world.streaming.step(ticks)
  world.places.step(nowMs)
  deps.sessionKeeper.step(nowMs)
  refs.settle()
}

const describeState = ({ game, inbox, feeds, worldFeeds }: GameParts): RealtimeState => {
  const { world, sessions } = game
  const { columns: chunkWrites, records: terrainWrites } = world.writer.waiting()
  const queues = { chunkWrites, terrainWrites, edits: world.journal.pending(), places: world.places.waiting() }
  return {
    sessions: sessions.count(),
    feeds: feeds.count() + worldFeeds.count(),
    columns: world.loaded.stats(),
    queues: { ...inbox.depths(), ...queues },
  }
}

type SinceTick = { readonly startedMs: number; readonly previousMs: number }

/** Records the duration of a tick, and the traffic since the previous one. */
const report = ({ clock, metrics }: GameLoopDeps, { game }: GameParts, traffic: Traffic, since: SinceTick): void => {
  const tookMs = clock.monotonic() - since.startedMs
  game.world.tickTimes.add(tookMs)
  metrics.observeTick(tookMs / 1000, since.previousMs / 1000, traffic)
  Object.assign(traffic, createTraffic())
}

/** A node without players. The tick rate is fixed at the start; other settings are read at each use. */
export const createGameLoop = (deps: GameLoopDeps): GameLoop => {
  const { clock } = deps
  let tickMs = clock.monotonic()
  let ticks = 0
  let isWindingUp = false
  const parts = createGameParts(deps, {
    nowMs: () => tickMs,
    endSession: (session, closing) => attachments.end(session, closing),
    noteChange: (playerId) => admission.noteChange(playerId),
  })
  const { game, inbox, live, feeds, worldFeeds, lateness, tickRate } = parts
  const { world, sessions, access, broadcasts } = game
  const players = createGamePlayers(deps, parts)
  const { admission, attachments, accounts, configs, warnings } = players
  const traffic = createTraffic()

  // The token check starts immediately, so that a player waits for one tick and not two. The session is created in a tick.
  const receive = (connection: SessionConnection, message: ClientMessageKind): void => {
    if (message.$case === 'connect' && connection.session === undefined) admission.connect(connection, message.value)
    else if (!isWindingUp || message.$case === 'disconnect') inbox.pushMessage(connection, message)
  }

  const handle: HandleOne = (connection, message) => {
    const { session } = connection
    if (session === undefined) return
    warnings.heard(session)
    const { modules } = game
    if (modules.isWaiting(session)) modules.hold(session, () => handleMessage(game, session, message))
    else handleMessage(game, session, message)
  }

  return {
    tickRate,
    traffic,
    live,
    accounts,
    feeds,
    worldFeeds,
    watchReplaced: world.journal.watchReplaced,
    lateMs: lateness.totalMs,
    state: () => describeState(parts),
    changeBlocks: createChangeBlocks(world.journal, inbox.pushTask),
    linked: { here: createLocalPlayers(game, accounts.noteChange), hear: broadcasts.hear },
    connections: {
      received: receive,
      closed: (connection) => inbox.pushTask(() => attachments.detach(connection)),
      costOf: (message) => (message.$case === 'moduleCall' ? game.modules.costOf(message.value) : costOf(message)),
    },
    tick: (nowMs) => {
      const startedMs = clock.monotonic()
      const previousMs = nowMs - tickMs
      tickMs = nowMs
      lateness.ticked(nowMs)
      ticks += 1
      step(deps, parts, players, handle, ticks)
      report(deps, parts, traffic, { startedMs, previousMs })
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
    stopModules: game.modules.stop,
    stopAccepting: (closing) => {
      isWindingUp = true
      admission.refuseArrivals(closing)
    },
  }
}
