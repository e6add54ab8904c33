import type { MarkedZone } from '../../shared/domain/zones/marked-zone.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import { type FeedClosing, feedClosings } from './door/feed-closing.ts'
import { createFeedIndex, type FeedIndex } from './feed-index.ts'
import type { FeedSocket } from './feed-socket.ts'
import type { SeenPlayer } from './zone-feed.ts'
import { createZoneFeed, type ZoneFeed } from './zone-feed.ts'

/** How long a feed that nobody reads is kept for those who come back, and how many such feeds. */
const emptyMs = 120_000
const emptyMax = 32

/** The feeds of a node, one for each zone that somebody reads or has read lately. Owned by the game loop. */
export type LiveFeeds = {
  readonly index: FeedIndex
  zones(): readonly MarkedZone[]
  find(zoneId: string): ZoneFeed | undefined
  /** Whether the zone of a feed is newer than `zone`, and has not all of these blocks any more. */
  isLeftOutside(edit: { readonly zone: MarkedZone; readonly changes: readonly BlockPos[] }): boolean
  join(socket: FeedSocket): void
  leave(socket: FeedSocket): void
  /** The record as it is now; undefined: the zone was deleted, and its feeds end. */
  zoneRead(id: string, zone: MarkedZone | undefined): void
  /** Looks round who stands where. */
  lookRound(players: () => Iterable<SeenPlayer>): void
  /** Sends what was published, and forgets feeds that nobody came back to. */
  step(): void
}

export type LiveFeedsDeps = {
  /** The world of the node: zones of others have no players. */
  readonly worldName: string
  readonly nowMs: () => number
  /** A number that goes up with time, higher than any that an earlier process gave. */
  readonly startSeq: () => number
}

export const createLiveFeeds = ({ worldName, nowMs, startSeq }: LiveFeedsDeps): LiveFeeds => {
  const feeds = new Map<string, ZoneFeed>()
  const sockets = new Map<ZoneFeed, Set<FeedSocket>>()
  const index = createFeedIndex()

  const place = (feed: ZoneFeed): void => {
    if (feed.zone.world === worldName) index.put(feed)
  }

  const open = (zone: MarkedZone): ZoneFeed => {
    const feed = createZoneFeed(zone, { startSeq: startSeq() })
    feeds.set(zone.id, feed)
    sockets.set(feed, new Set())
    place(feed)
    return feed
  }

  const drop = (feed: ZoneFeed): void => {
    feeds.delete(feed.zone.id)
    sockets.delete(feed)
    index.remove(feed)
  }

  const endAll = (feed: ZoneFeed, closing: FeedClosing): void => {
    for (const socket of [...(sockets.get(feed) ?? [])]) socket.close(closing)
  }

  const forgetEmpty = (): void => {
    const empty = [...feeds.values()].filter(({ readers }) => readers.size === 0)
    const tooMany = empty.toSorted((one, other) => other.emptySinceMs - one.emptySinceMs).slice(emptyMax)
    for (const feed of empty) if (nowMs() - feed.emptySinceMs >= emptyMs || tooMany.includes(feed)) drop(feed)
  }

  return {
    index,
    zones: () => Array.from(feeds.values(), ({ zone }) => zone),
    find: (id) => feeds.get(id),
    isLeftOutside: ({ zone, changes }) => {
      const feed = feeds.get(zone.id)
      // What the edit was held against may be newer than what the feed has heard of.
      if (feed === undefined || feed.zone.updatedAt <= zone.updatedAt) return false
      return !changes.every(({ x, y, z }) => index.feedsAt(x, y, z).includes(feed))
    },
    join: (socket) => {
      const feed = feeds.get(socket.zoneId) ?? open(socket.admitted.zone)
      sockets.get(feed)?.add(socket)
      feed.join(socket)
    },
    leave: (socket) => {
      const feed = feeds.get(socket.zoneId)
      if (feed === undefined) return
      sockets.get(feed)?.delete(socket)
      feed.leave(socket)
      if (feed.readers.size === 0) feed.emptySinceMs = nowMs()
    },
    zoneRead: (id, zone) => {
      const feed = feeds.get(id)
      if (feed === undefined) return
      if (zone !== undefined) {
        feed.update(zone)
        place(feed)
        return
      }
      feed.publish({ type: 'deleted' })
      feed.flush()
      endAll(feed, feedClosings.deleted)
      drop(feed)
    },
    lookRound: (players) => {
      if (feeds.size === 0) return
      for (const player of players()) for (const feed of index.feedsAt(player.x, player.y, player.z)) feed.players.see(player)
      for (const feed of feeds.values()) feed.players.settle()
    },
    step: () => {
      for (const feed of feeds.values()) feed.flush()
      if (feeds.size > 0) forgetEmpty()
    },
  }
}
