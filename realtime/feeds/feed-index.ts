import type { ZoneChunks } from '../../shared/domain/zones/zone.ts'
import { chunkCoordinate, chunkKey } from '../../shared/rules/positions.ts'
import type { ZoneFeed } from './zone-feed.ts'

/** Feeds by the columns of their zones: which of them a block concerns, in constant time. */
export type FeedIndex = {
  /** Puts a feed at the columns that its zone has now, and takes it from those that it had. */
  put(feed: ZoneFeed): void
  remove(feed: ZoneFeed): void
  /** The feeds whose zones have the block, enabled or not; fractions lie in their block. */
  feedsAt(x: number, y: number, z: number): readonly ZoneFeed[]
}

const none: readonly ZoneFeed[] = []

const hasHeight = ({ zone }: ZoneFeed, height: number): boolean => height >= zone.yMin && height <= zone.yMax

export const createFeedIndex = (): FeedIndex => {
  const columns = new Map<number, readonly ZoneFeed[]>()
  const placed = new Map<ZoneFeed, ZoneChunks>()

  const remove = (feed: ZoneFeed): void => {
    for (const { cx, cz } of placed.get(feed) ?? []) {
      const key = chunkKey(cx, cz)
      const rest = (columns.get(key) ?? none).filter((other) => other !== feed)
      if (rest.length === 0) columns.delete(key)
      else columns.set(key, rest)
    }
    placed.delete(feed)
  }

  return {
    remove,
    put: (feed) => {
      const { chunks } = feed.zone
      if (placed.get(feed) === chunks) return
      remove(feed)
      placed.set(feed, chunks)
      // Nearly every column has one zone: its feed's columns share one list.
      const alone = [feed]
      for (const { cx, cz } of chunks) {
        const key = chunkKey(cx, cz)
        const there = columns.get(key)
        columns.set(key, there === undefined ? alone : [...there, feed])
      }
    },
    feedsAt: (x, y, z) => {
      const there = columns.get(chunkKey(chunkCoordinate(x), chunkCoordinate(z))) ?? none
      const height = Math.floor(y)
      const [first] = there
      if (first === undefined) return none
      if (there.length === 1) return hasHeight(first, height) ? there : none
      return there.filter((feed) => hasHeight(feed, height))
    },
  }
}
