import { isDeepStrictEqual } from 'node:util'
import type { MarkedZone } from '../../shared/domain/zones/marked-zone.ts'
import type { Placement } from '../interest/cell.ts'
import { encodeFeedMessage, type FeedEvent } from './feed-messages.ts'

/** The last messages of a zone as finished frames: 1,024 of them, fewer where they are very large. */
type FeedHistory = {
  add(frame: Buffer): void
  /** Those after the message `seq`, oldest first, when `last` is the newest; undefined when not all of them are held any more, or `seq` was never reached. */
  after(seq: number, last: number): readonly Buffer[] | undefined
}

type FeedHistoryLimits = { readonly messages: number; readonly bytes: number }

const defaultLimits: FeedHistoryLimits = { messages: 1024, bytes: 8 * 2 ** 20 }

export const createFeedHistory = (limits: FeedHistoryLimits = defaultLimits): FeedHistory => {
  const held: Buffer[] = []
  let bytes = 0
  return {
    add: (frame) => {
      held.push(frame)
      bytes += frame.length
      while (held.length > limits.messages || bytes > limits.bytes) bytes -= held.shift()?.length ?? 0
    },
    after: (seq, last) => {
      const missed = last - seq
      if (missed < 0 || missed > held.length) return undefined
      return missed === 0 ? [] : held.slice(-missed)
    },
  }
}

type WithoutSeq<T> = T extends unknown ? Omit<T, 'seq'> : never

/** What happens in a zone, before it gets its number. */
type ZoneEvent = WithoutSeq<FeedEvent>

/** One who reads a feed. */
export type FeedReader = { send(frame: Uint8Array): void }

/** One zone's feed: those who read it, and the last messages. Whatever goes to all of them is encoded once. Owned by the game loop. */
export type ZoneFeed = {
  zone: MarkedZone
  readonly readers: ReadonlySet<FeedReader>
  readonly players: FeedPlayers
  /** On the clock that never goes back; when the last reader went. */
  emptySinceMs: number
  /** Goes to everybody at the next flush. */
  publish(event: ZoneEvent): void
  /** Takes the record as it is now; says so when anything but the time of its change differs. */
  update(zone: MarkedZone): void
  /** Adds a reader, which gets the zone and who is in it. */
  join(reader: FeedReader): void
  /** What the reader missed since the message `seq`, or else the whole zone again. */
  resume(reader: FeedReader, seq: number): void
  leave(reader: FeedReader): void
  /** One write to each reader, none when nothing happened. */
  flush(): void
}

type ZoneFeedOptions = {
  /** The number before that of the first message; higher than any that an earlier feed of the zone may have given. */
  readonly startSeq: number
  readonly history?: FeedHistory
}

const withoutTime = ({ updatedAt: _, ...rest }: MarkedZone): Omit<MarkedZone, 'updatedAt'> => rest

export const createZoneFeed = (zone: MarkedZone, { startSeq, history = createFeedHistory() }: ZoneFeedOptions): ZoneFeed => {
  const readers = new Set<FeedReader>()
  let seq = startSeq
  let queued: Buffer[] = []

  const flush = (): void => {
    const [first] = queued
    if (first === undefined) return
    const frames = queued.length === 1 ? first : Buffer.concat(queued)
    queued = []
    for (const reader of readers) reader.send(frames)
  }

  const publish = (event: ZoneEvent): void => {
    seq += 1
    const frame = encodeFeedMessage({ ...event, seq })
    history.add(frame)
    queued.push(frame)
  }

  const begin = (reader: FeedReader, reset?: true): void => {
    const start: FeedEvent = { type: 'zone', zone: feed.zone, seq, ...(reset && { reset }) }
    reader.send(Buffer.concat([start, ...feed.players.list()].map((message) => encodeFeedMessage(message))))
  }

  const feed: ZoneFeed = {
    zone,
    readers,
    players: createFeedPlayers(publish),
    emptySinceMs: 0,
    publish,
    update: (next) => {
      const isSame = isDeepStrictEqual(withoutTime(next), withoutTime(feed.zone))
      feed.zone = next
      if (!isSame) publish({ type: 'zone', zone: next })
    },
    join: (reader) => {
      flush()
      begin(reader)
      readers.add(reader)
    },
    resume: (reader, since) => {
      flush()
      const missed = history.after(since, seq)
      if (missed === undefined) begin(reader, true)
      // One by one: put together, each reader would hold a copy of its own.
      else for (const frame of missed) reader.send(frame)
    },
    leave: (reader) => {
      readers.delete(reader)
    },
    flush,
  }
  return feed
}

/** A player as feeds see them. */
export type SeenPlayer = Readonly<Placement> & { readonly playerId: string; readonly displayName: string }

/** Who stands in a zone, as its feeds were told. */
type FeedPlayers = {
  /** The player is in the zone at this look round. */
  see(player: SeenPlayer): void
  /** Ends a look round: whoever was not seen has left. */
  settle(): void
  /** Those who are there, for a newcomer. */
  list(): readonly FeedEvent[]
}

type Told = { readonly displayName: string; readonly position: Placement; isSeen: boolean }

const positionOf = ({ x, y, z, yaw, pitch }: SeenPlayer): Placement => ({ x, y, z, yaw, pitch })

const isThere = (at: Placement, { x, y, z, yaw, pitch }: SeenPlayer): boolean =>
  at.x === x && at.y === y && at.z === z && at.yaw === yaw && at.pitch === pitch

const createFeedPlayers = (publish: (event: ZoneEvent) => void): FeedPlayers => {
  const told = new Map<string, Told>()
  return {
    see: (player) => {
      const { playerId, displayName } = player
      const before = told.get(playerId)
      if (before !== undefined) before.isSeen = true
      const isSameName = before?.displayName === displayName
      if (before !== undefined && isSameName && isThere(before.position, player)) return
      const position = positionOf(player)
      told.set(playerId, { displayName, position, isSeen: true })
      // One with another name comes in again: editors know of names by this message only.
      publish(
        isSameName ? { type: 'playerMoved', playerId, position } : { type: 'playerEntered', playerId, displayName, position },
      )
    },
    settle: () => {
      for (const [playerId, player] of told) {
        if (!player.isSeen) {
          told.delete(playerId)
          publish({ type: 'playerLeft', playerId })
        }
        player.isSeen = false
      }
    },
    list: () =>
      Array.from(told, ([playerId, { displayName, position }]) => ({
        type: 'playerEntered' as const,
        playerId,
        displayName,
        position,
      })),
  }
}
