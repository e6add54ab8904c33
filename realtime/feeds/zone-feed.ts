import { isDeepStrictEqual } from 'node:util'
import type { Zone } from '../../shared/zones/zone.ts'
import { createFeedHistory, type FeedHistory } from './feed-history.ts'
import { encodeFeedMessage, type FeedEvent } from './feed-messages.ts'
import { createFeedPlayers, type FeedPlayers } from './feed-players.ts'

type WithoutSeq<T> = T extends unknown ? Omit<T, 'seq'> : never

/** What happens in a zone, before it gets its number. */
export type ZoneEvent = WithoutSeq<FeedEvent>

/** One who reads a feed. */
export type FeedReader = { send(frame: Uint8Array): void }

/** One zone's feed: those who read it, and the last messages. Whatever goes to all of them is encoded once. Owned by the game loop. */
export type ZoneFeed = {
  zone: Zone
  readonly readers: ReadonlySet<FeedReader>
  readonly players: FeedPlayers
  /** On the clock that never goes back; when the last reader went. */
  emptySinceMs: number
  /** Goes to everybody at the next flush. */
  publish(event: ZoneEvent): void
  /** Takes the record as it is now; says so when anything but the time of its change differs. */
  update(zone: Zone): void
  /** Adds a reader, which gets the zone and who is in it. */
  join(reader: FeedReader): void
  /** What the reader missed since the message `seq`, or else the zone anew. */
  resume(reader: FeedReader, seq: number): void
  leave(reader: FeedReader): void
  /** One write to each reader, none when nothing happened. */
  flush(): void
}

export type ZoneFeedOptions = {
  /** The number before that of the first message; higher than any that an earlier feed of the zone may have given. */
  readonly startSeq: number
  readonly history?: FeedHistory
}

const withoutTime = ({ updatedAt: _, ...rest }: Zone): Omit<Zone, 'updatedAt'> => rest

export const createZoneFeed = (zone: Zone, { startSeq, history = createFeedHistory() }: ZoneFeedOptions): ZoneFeed => {
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
