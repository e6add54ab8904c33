import type { MarkedZone } from '../../shared/domain/zones/list-zones.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import { type FeedClosing, feedClosings } from './door/feed-closing.ts'
import { createFeedIndex, type FeedIndex } from './feed-index.ts'
import type { FeedSocket } from './feed-socket.ts'
import type { SeenPlayer } from './zone-feed.ts'
import { createZoneFeed, type ZoneFeed } from './zone-feed.ts'

/** How long a feed without readers is kept for returning readers, and how many such feeds. */
const emptyMs = 120_000
const emptyMax = 32

/** The feeds of a node: one for each zone that has, or recently had, readers. Owned by the game loop. */
export type LiveFeeds = {
  readonly index: FeedIndex
  zones(): readonly MarkedZone[]
  find(zoneId: string): ZoneFeed | undefined
  /** Whether the feed has a newer version of the zone that no longer contains all of these blocks. */
  isLeftOutside(edit: { readonly zone: MarkedZone; readonly changes: readonly BlockPos[] }): boolean
  join(socket: FeedSocket): void
  leave(socket: FeedSocket): void
  /** Applies the current record. Undefined: the zone was deleted, and its feeds end. */
  zoneRead(id: string, zone: MarkedZone | undefined): void
  /** Updates the positions of players. */
  lookRound(players: () => Iterable<SeenPlayer>): void
  /** Sends the published messages, and drops feeds that have been without readers for too long. */
  step(): void
}

export type LiveFeedsDeps = {
  /** The world of the node. Zones of other worlds have no players. */
  readonly worldName: string
  readonly nowMs: () => number
  /** A number that rises with time. It is higher than any number of an earlier process. */
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
      // The edit may have been checked against a newer version than the feed has.
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
