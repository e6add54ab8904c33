import { tilePixels, zoomMax } from '../../../shared/domain/worlds/map/tile-grid.ts'
import type { FeedTile, View } from './world-messages.ts'

/** A tile of zoom 0. */
export type GroundTile = { readonly tx: number; readonly tz: number }

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
