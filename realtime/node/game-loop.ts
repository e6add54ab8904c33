import type { BlocksConfig } from '../../shared/domain/worlds/blocks-config.ts'
import type { LivePlayers } from '../commands/command.ts'
import type { LiveAccounts } from '../game/players/live-accounts.ts'
import { createPlayersHere } from '../game/players/players-here.ts'
import type { LinkedGame } from '../links/node-link.ts'
import { costOf, handleMessage } from '../messages/list.ts'
import { createTraffic, type RealtimeState, type Traffic } from '../metrics/realtime-metrics.ts'
import type { ClientMessageKind } from '../protocol/messages.ts'
import type { RestoredSession } from '../sessions/restored-sessions.ts'
import type { Session, SessionConnection } from '../sessions/session.ts'
import type { Closing } from '../socket/closing.ts'
import type { ConnectionEvents } from '../socket/connection.ts'
import { type ChangeBlocks, createChangeBlocks, type WatchBlocks } from '../world/edits/change-blocks.ts'
import type { GameFeeds } from './game-feeds.ts'
import { createGameParts, type GameLoopDeps, type GameParts } from './game-parts.ts'
import { createGamePlayers, type GamePlayers } from './game-players.ts'

/** Owns every piece of live state. Nothing changes but in a tick; a tick waits for nothing. */
export type GameLoop = GameFeeds & {
  /** Takes what arrived, then steps; `nowMs` on the clock that never goes back. */
  tick(nowMs: number): void
  readonly tickRate: number
  /** How it is at this moment. */
  state(): RealtimeState
  readonly connections: ConnectionEvents<Session>
  readonly traffic: Traffic
  /** How late ticks were in all (`Lateness`): what clients are credited for. */
  readonly lateMs: (nowMs: number) => number
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
  /** From now on whoever connects is told to go. Of what clients send only leaving counts. Further ticks finish what is under way. */
  windUp(closing: Closing): void
}

type HandleOne = (connection: SessionConnection, message: ClientMessageKind) => void

/** All that one tick does, in its order. */
const step = (deps: GameLoopDeps, parts: GameParts, players: GamePlayers, handle: HandleOne, ticks: number): void => {
  const { game, inbox, presences, feeds, worldFeeds } = parts
  const { world, broadcasts, access, interest } = game
  const { configs, admission, attachments, refs } = players
  const nowMs = game.nowMs()
  broadcasts.beginTick(nowMs)
  configs.step()
  world.loaded.step()
  deps.zones.step()
  inbox.drain(handle)
  game.edge.step(nowMs)
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

/** Tells how long a tick took, and what went in and out since the one before. */
const report = ({ clock, metrics }: GameLoopDeps, { game }: GameParts, traffic: Traffic, since: SinceTick): void => {
  const tookMs = clock.monotonic() - since.startedMs
  game.world.tickTimes.add(tookMs)
  metrics.observeTick(tookMs / 1000, since.previousMs / 1000, traffic)
  Object.assign(traffic, createTraffic())
}

/** A node without players. The tick rate is that of the start; other settings are read as they are. */
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

  // The check of a token begins at once, so that a player waits for one tick and not for two; the session is made in a tick.
  const receive = (connection: SessionConnection, message: ClientMessageKind): void => {
    if (message.$case === 'connect' && connection.session === undefined) admission.connect(connection, message.value)
    else if (!isWindingUp || message.$case === 'disconnect') inbox.pushMessage(connection, message)
  }

  const handle: HandleOne = (connection, message) => {
    const { session } = connection
    if (session === undefined) return
    warnings.heard(session)
    handleMessage(game, session, message)
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
    linked: { here: createPlayersHere(game, accounts.noteChange), hear: broadcasts.hear },
    connections: {
      received: receive,
      closed: (connection) => inbox.pushTask(() => attachments.detach(connection)),
      costOf,
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
    windUp: (closing) => {
      isWindingUp = true
      admission.refuseArrivals(closing)
    },
  }
}
