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
import { type BlockCache, createBlockCache } from './block-cache.ts'
import { createMover, type Mover } from './mover.ts'
import { createPlayerPlaces, type PlayerPlaces } from './player-places.ts'

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
}

/** The world around one player, built from a session's events. */
export type WatchedWorld = {
  readonly blocks: BlockCache
  readonly players: PlayerPlaces
  readonly mover: Mover
  /** Moves the player and sends that, if the server will allow it. Otherwise returns why it would not. */
  moveTo(to: Partial<Position>): ReturnType<Mover['refusalOf']> | 'not-connected'
  /** Stops watching, and keeps the known state. */
  stop(): void
}

/** Watches a session from now on. Call it directly after `connect`, before any other await, and nothing is missed. */
export const watchWorld = (session: WatchedSession, now: () => number = Date.now): WatchedWorld => {
  const blocks = createBlockCache()
  const players = createPlayerPlaces()
  const mover = createMover(blocks.solids, session.position(), now())
  const begin = ({ blocks: kinds }: Welcome): void => {
    blocks.begin(kinds)
    players.clear()
    mover.begin(session.position(), now())
  }
  begin(session.welcome())
  const ends = [
    session.on('welcome', begin),
    session.on('chunk', blocks.putChunk),
    session.on('chunkGone', blocks.dropChunk),
    session.on('blocksChanged', ({ edits }) => blocks.change(edits)),
    session.on('blocksRegistry', ({ blocks: kinds }) => blocks.learn(kinds)),
    session.on('players', (message) => players.apply(message, now())),
    session.on('zoneChanged', mover.stand),
    session.on('correction', (correction) => mover.correct(correction, now())),
  ]
  return {
    blocks,
    players,
    mover,
    moveTo: (to) => {
      const refusal = mover.refusalOf(to, now())
      if (refusal !== undefined) return refusal
      const wanted = { ...mover.position(), ...to }
      const seq = session.move(wanted)
      if (seq === undefined) return 'not-connected'
      mover.moved(seq, wanted, now())
      return undefined
    },
    stop: () => {
      for (const end of ends) end()
    },
  }
}
