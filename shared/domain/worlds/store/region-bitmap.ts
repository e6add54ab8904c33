import type { ChunkPos } from '../../../rules/positions.ts'

/** The width of a region in columns. Its bitmap has one 32-bit word for each cx, one bit for each cz. */
export const regionColumns = 32

/** The number of bytes of a region's bitmap. */
export const bitmapBytes = regionColumns * 4

/** A region by its corner: `rx` is `floor(cx / 32)`, `rz` is `floor(cz / 32)`. */
export type RegionPos = { readonly rx: number; readonly rz: number }

/** The region of a column. */
export const regionOf = ({ cx, cz }: ChunkPos): RegionPos => ({ rx: cx >> 5, rz: cz >> 5 })

const wordAt = ({ cx }: ChunkPos): number => (cx & (regionColumns - 1)) * (bitmapBytes / regionColumns)
const bitOf = ({ cz }: ChunkPos): number => 1 << (cz & (regionColumns - 1))

/** Whether the bitmap of its region has the column. */
export const hasColumn = (bits: Buffer, pos: ChunkPos): boolean => (bits.readInt32LE(wordAt(pos)) & bitOf(pos)) !== 0

/** Sets or clears the column in its region's bitmap. Returns whether that changed it. */
export const markColumn = (bits: Buffer, pos: ChunkPos, isThere: boolean): boolean => {
  const before = bits.readInt32LE(wordAt(pos))
  const after = isThere ? before | bitOf(pos) : before & ~bitOf(pos)
  if (after !== before) bits.writeInt32LE(after, wordAt(pos))
  return after !== before
}
