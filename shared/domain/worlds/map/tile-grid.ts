import { type ChunkBox, chunkMax, chunkMin } from '../../../rules/positions.ts'

/** The side of a tile in pixels, and at zoom 0 in blocks. */
export const tilePixels = 256
/** The side of a tile in columns, at zoom 0. */
export const tileColumns = 16
export const zoomMax = 5

/** A tile of the map. At zoom 0 a pixel is a block; each higher zoom halves the scale. */
export type TilePos = { readonly zoom: number; readonly tx: number; readonly tz: number }

/** The first and the last tile of a zoom in either direction. */
export const tileRange = (zoom: number): { readonly min: number; readonly max: number } => {
  const columns = tileColumns * 2 ** zoom
  return { min: Math.floor(chunkMin / columns), max: Math.floor(chunkMax / columns) }
}

/** The columns that a tile shows. */
export const boxOfTile = ({ zoom, tx, tz }: TilePos): ChunkBox => {
  const columns = tileColumns * 2 ** zoom
  const inWorld = (at: number): number => Math.max(chunkMin, Math.min(chunkMax, at))
  return {
    minCx: inWorld(tx * columns),
    maxCx: inWorld((tx + 1) * columns - 1),
    minCz: inWorld(tz * columns),
    maxCz: inWorld((tz + 1) * columns - 1),
  }
}

/** The parts of a tile: north-west, north-east, south-west, south-east. */
export const partsOfTile = ({ zoom, tx, tz }: TilePos): readonly TilePos[] =>
  [0, 1, 2, 3].map((quarter) => ({ zoom: zoom - 1, tx: 2 * tx + (quarter & 1), tz: 2 * tz + (quarter >> 1) }))
