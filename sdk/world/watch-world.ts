import type { SessionState } from '../connection/session-events.ts'
import type { EventSource } from '../events/event-source.ts'
import type {
  BlocksChanged,
  BlocksRegistry,
  Chunk,
  ChunkGone,
  Correction,
  Players,
  Position,
  Welcome,
  ZoneChanged,
} from '../protocol/generated/gatehouse.ts'
import { systemTimers, type Timers } from '../timers.ts'
import { type BlockCache, createBlockCache } from './block-cache.ts'
import { findGround } from './ground.ts'
import { createMover, type Mover } from './mover.ts'
import { createPlayerPlaces, type PlayerPlaces } from './player-places.ts'
import { createWalker, type WalkOptions } from './walk.ts'

/** The watched parts of a session. */
export type WatchedSession = Pick<
  EventSource<{
    readonly welcome: Welcome
    readonly chunk: Chunk
    readonly chunkGone: ChunkGone
    readonly blocksChanged: BlocksChanged
    readonly blocksRegistry: BlocksRegistry
    readonly players: Players
    readonly correction: Correction
    readonly zoneChanged: ZoneChanged
  }>,
  'on'
> & {
  welcome(): Welcome
  position(): Position
  move(to: Partial<Position>): number | undefined
  state?(): SessionState
  ping?(): Promise<unknown>
}

/** The world around one player, built from a session's events. */
export type WatchedWorld = {
  readonly blocks: BlockCache
  readonly players: PlayerPlaces
  readonly mover: Mover
  /** Moves the player and sends that, if the server will allow it. Otherwise returns why it would not. */
  moveTo(to: Partial<Position>): ReturnType<Mover['refusalOf']> | 'not-connected'
  /**
   * Walks straight to a place on the ground, at the walking speed of the server, up one block and down three at a time. Resolves
   * at the place. Rejects with WalkError when something is in the way: its `code` says what. Waits up to 10 s for land or a
   * connection. Rejects with SessionEndedError if the session ends. Another call replaces the walk.
   */
  walkTo(x: number, z: number, options?: WalkOptions): Promise<void>
  /**
   * The highest place at x and z, at the height `from` or below, where a player can stand. Returns the height of the feet.
   * Undefined if there is none, or if it is too far away to be known.
   */
  findGround(x: number, z: number, from?: number): number | undefined
  /** Stops watching and walking, and keeps the known state. */
  stop(): void
}

/** Watches a session from now on. Call it directly after `connect`, before any other await, and nothing is missed. */
export const watchWorld = (
  session: WatchedSession,
  now: () => number = Date.now,
  timers: Timers = systemTimers,
): WatchedWorld => {
  const blocks = createBlockCache()
  const players = createPlayerPlaces()
  const mover = createMover(blocks.solids, session.position(), now())
  const begin = ({ blocks: kinds }: Welcome): void => {
    blocks.begin(kinds)
    players.clear()
    mover.begin(session.position(), now())
  }
  begin(session.welcome())
  const moveTo: WatchedWorld['moveTo'] = (to) => {
    const refusal = mover.refusalOf(to, now())
    if (refusal !== undefined) return refusal
    const wanted = { ...mover.position(), ...to }
    const seq = session.move(wanted)
    if (seq === undefined) return 'not-connected'
    mover.moved(seq, wanted, now())
    return undefined
  }
  const walker = createWalker(session, { blocks, mover, moveTo }, timers)
  const ends = [
    session.on('welcome', begin),
    session.on('chunk', blocks.putChunk),
    session.on('chunkGone', blocks.dropChunk),
    session.on('blocksChanged', ({ edits }) => blocks.change(edits)),
    session.on('blocksRegistry', ({ blocks: kinds }) => blocks.learn(kinds)),
    session.on('players', (message) => players.apply(message, now())),
    session.on('zoneChanged', mover.stand),
    session.on('correction', (correction) => {
      mover.correct(correction, now())
      walker.correct(correction)
    }),
  ]
  return {
    blocks,
    players,
    mover,
    moveTo,
    walkTo: walker.walkTo,
    findGround: (x, z, from) => findGround(blocks, x, z, from),
    stop: () => {
      walker.stop()
      for (const end of ends) end()
    },
  }
}
