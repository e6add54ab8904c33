import { isDeepStrictEqual } from 'node:util'
import type { MarkedZone } from '../../shared/domain/zones/list-zones.ts'
import type { Placement } from '../interest/cells.ts'
import { createFeedHistory, type FeedHistory } from './feed-history.ts'
import { encodeFeedMessage, type FeedEvent } from './feed-messages.ts'

type WithoutSeq<T> = T extends unknown ? Omit<T, 'seq'> : never

/** An event in a zone, without its number. */
type ZoneEvent = WithoutSeq<FeedEvent>

/** A reader of a feed. */
export type FeedReader = { send(frame: Uint8Array): void }

/** The feed of one zone: its readers and last messages. A message to all readers is encoded once. Owned by the game loop. */
export type ZoneFeed = {
  zone: MarkedZone
  readonly readers: ReadonlySet<FeedReader>
  readonly players: FeedPlayers
  /** When the last reader left, on the monotonic clock. */
  emptySinceMs: number
  /** Sends the event to all readers at the next flush. */
  publish(event: ZoneEvent): void
  /** Replaces the record. Publishes it unless only its update time changed. */
  update(zone: MarkedZone): void
  /** Adds a reader and sends the zone and its players. */
  join(reader: FeedReader): void
  /** Sends the messages after `seq`, or else the whole zone again. */
  resume(reader: FeedReader, seq: number): void
  leave(reader: FeedReader): void
  /** Sends everything with one write to each reader. */
  flush(): void
}

type ZoneFeedOptions = {
  /** The number before the first message. It is higher than any number of an earlier feed of the zone. */
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
      // One by one: a joined buffer would be a copy for each reader.
      else for (const frame of missed) reader.send(frame)
    },
    leave: (reader) => {
      readers.delete(reader)
    },
    flush,
  }
  return feed
}

/** A player, as feeds see them. */
export type SeenPlayer = Readonly<Placement> & { readonly playerId: string; readonly displayName: string }

/** The players in a zone, as they were sent. */
type FeedPlayers = {
  /** The player is in the zone in this round. */
  see(player: SeenPlayer): void
  /** Ends a round. Players who were not seen have left. */
  settle(): void
  /** The current players, for a new reader. */
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
      // A renamed player enters again, because only this message has names.
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
