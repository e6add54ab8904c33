import { tilePixels, zoomMax } from '../../../shared/domain/worlds/map/tile-places.ts'
import type { FeedTile, View } from './world-messages.ts'

/** A tile of zoom 0. */
export type GroundTile = { readonly tx: number; readonly tz: number }

/** Which tiles changed when: those that changed last, each with the number of its last change. */
export type TileLog = {
  /** Changed at `seq`, which is higher than any before. */
  add(tiles: Iterable<GroundTile>, seq: number): void
  /** Everything may have changed at `seq`. */
  forget(seq: number): void
  /** Tiles of every zoom in view that changed after `since`, up to `last`; undefined where that is not known, or `since` was never reached. */
  after(since: number, last: number, view: View): readonly FeedTile[] | undefined
}

/** Tiles of zoom 0 that are remembered. */
const tilesMax = 16_384

/** Tiles of one message; where more changed, all are to be asked for again. */
const toldMax = 4_096

const isInView = ({ tx, tz }: GroundTile, view: View): boolean =>
  tx * tilePixels <= view.maxX &&
  (tx + 1) * tilePixels > view.minX &&
  tz * tilePixels <= view.maxZ &&
  (tz + 1) * tilePixels > view.minZ

/** The tiles of zoom 0 in view and those of further zooms that show them, each once; undefined for more than one message holds. */
export const withFurtherZooms = (tiles: Iterable<GroundTile>, view: View): readonly FeedTile[] | undefined => {
  const found = new Map<string, FeedTile>()
  for (const tile of tiles) {
    if (!isInView(tile, view)) continue
    for (let zoom = 0; zoom <= zoomMax; zoom += 1) {
      const place = { zoom, tx: tile.tx >> zoom, tz: tile.tz >> zoom }
      const key = `${zoom},${place.tx},${place.tz}`
      // Whoever has the tile has those further out too.
      if (found.has(key)) break
      found.set(key, place)
    }
    if (found.size > toldMax) return undefined
  }
  return [...found.values()]
}

/** Nothing is known of what was before `startSeq`. */
export const createTileLog = (startSeq: number): TileLog => {
  /** The one that changed last at the end. */
  const log = new Map<string, GroundTile & { readonly seq: number }>()
  let knownSince = startSeq

  return {
    add: (tiles, seq) => {
      for (const { tx, tz } of tiles) {
        const key = `${tx},${tz}`
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
