import type { ZoneChunks } from '../../shared/domain/zones/zone.ts'
import { chunkCoordinate, chunkKey } from '../../shared/rules/positions.ts'
import type { ZoneFeed } from './zone-feed.ts'

/** Finds the feeds of a block in constant time, by the columns of their zones. */
export type FeedIndex = {
  /** Moves a feed to the current columns of its zone. */
  put(feed: ZoneFeed): void
  remove(feed: ZoneFeed): void
  /** The feeds of all zones with the block, enabled or not. Coordinates may have fractions. */
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
      // Most columns have one zone, so the columns of a feed share one list.
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
