import type { Area } from './view.ts'

export type TilePos = { readonly zoom: number; readonly tx: number; readonly tz: number }

/** Pixels on a side of a tile. At zoom 0 a pixel is one block; each further zoom doubles it. */
export const tileSize = 256
const zoomMax = 5

/** The coarsest zoom with at least one tile pixel for each screen pixel. */
export const zoomOf = (pixelsPerBlock: number): number =>
  Math.min(Math.max(Math.floor(-Math.log2(pixelsPerBlock) + 0.25), 0), zoomMax)

/** The tiles of a zoom over an area. */
export const listTiles = (zoom: number, { minX, minZ, maxX, maxZ }: Area): TilePos[] => {
  const size = tileSize * 2 ** zoom
  const places: TilePos[] = []
  for (let tz = Math.floor(minZ / size); tz <= Math.floor(maxZ / size); tz += 1)
    for (let tx = Math.floor(minX / size); tx <= Math.floor(maxX / size); tx += 1) places.push({ zoom, tx, tz })
  return places
}
