import { tilePixels, zoomMax } from '../../../shared/domain/worlds/map/tile-grid.ts'
import { chunkKey } from '../../../shared/rules/positions.ts'
import type { FeedTile, View } from './world-messages.ts'

/** A tile of zoom 0. */
export type GroundTile = { readonly tx: number; readonly tz: number }

/** The most recently changed tiles, each with the number of its last change. */
export type TileLog = {
  /** Records changes at `seq`, which is higher than all before. */
  add(tiles: Iterable<GroundTile>, seq: number): void
  /** Any tile may have changed at `seq`. */
  forget(seq: number): void
  /**
   * The tiles of all zooms in view that changed after `since`, up to `last`. Undefined if that is unknown or `since` is in the
   * future.
   */
  after(since: number, last: number, view: View): readonly FeedTile[] | undefined
}

/** The number of tiles of zoom 0 that are remembered. */
const tilesMax = 16_384

/** The maximum number of tiles in one message. With more changes the client must load all tiles again. */
const toldMax = 4_096

const isInView = ({ tx, tz }: GroundTile, view: View): boolean =>
  tx * tilePixels <= view.maxX &&
  (tx + 1) * tilePixels > view.minX &&
  tz * tilePixels <= view.maxZ &&
  (tz + 1) * tilePixels > view.minZ

/**
 * Adds the tiles of further zooms that show the given tiles in view, without duplicates. Undefined if one message cannot hold all
 * of them.
 */
export const withFurtherZooms = (tiles: Iterable<GroundTile>, view: View): readonly FeedTile[] | undefined => {
  const found = new Map<string, FeedTile>()
  for (const tile of tiles) {
    if (!isInView(tile, view)) continue
    for (let zoom = 0; zoom <= zoomMax; zoom += 1) {
      const place = { zoom, tx: tile.tx >> zoom, tz: tile.tz >> zoom }
      const key = `${zoom},${place.tx},${place.tz}`
      // If this tile is in the result, its further zooms are too.
      if (found.has(key)) break
      found.set(key, place)
    }
    if (found.size > toldMax) return undefined
  }
  return [...found.values()]
}

/** Changes before `startSeq` are unknown. */
export const createTileLog = (startSeq: number): TileLog => {
  /** Ordered by last change. */
  const log = new Map<number, GroundTile & { readonly seq: number }>()
  let knownSince = startSeq

  return {
    add: (tiles, seq) => {
      for (const { tx, tz } of tiles) {
        const key = chunkKey(tx, tz)
        log.delete(key)
        log.set(key, { tx, tz, seq })
      }
      for (const [key, oldest] of log) {
        if (log.size <= tilesMax) break
        log.delete(key)
        knownSince = oldest.seq
      }
    },
    forget: (seq) => {
      log.clear()
      knownSince = seq
    },
    after: (since, last, view) => {
      if (since < knownSince || since > last) return undefined
      return withFurtherZooms(
        [...log.values()].filter(({ seq }) => seq > since),
        view,
      )
    },
  }
}
