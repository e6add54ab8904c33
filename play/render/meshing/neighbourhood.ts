import type { VoxelColumn } from './voxel-column.ts'

/** A column and its eight neighbours, by `(dz + 1) * 3 + dx + 1`. Missing ones count as air. */
export type Around = readonly (VoxelColumn | undefined)[]

/** Rows of a column padded by one block: 18 wide, bit 0 is x = -1. From y = -1 to 256, z = -1 to 16. */
export type PaddedRows = Int32Array

export const rowOf = (y: number, z: number): number => (y + 1) * 18 + z + 1

type RowKind = 'opaque' | 'clear'

const padRow = (around: Around, at: number, kind: RowKind, sy: number, row: number): number => {
  const west = around[at - 1]?.sections[sy]?.[kind][row] ?? 0
  const middle = around[at]?.sections[sy]?.[kind][row] ?? 0
  const east = around[at + 1]?.sections[sy]?.[kind][row] ?? 0
  return ((west >> 15) & 1) | (middle << 1) | ((east & 1) << 17)
}

/** Fills `rows` between two heights. Above and below the world is air. */
export const padRows = (rows: PaddedRows, around: Around, kind: RowKind, minSection: number, maxSection: number): void => {
  rows.fill(0, rowOf(Math.max(minSection * 16 - 1, -1), -1), rowOf(Math.min(maxSection * 16 + 16, 256), 16) + 1)
  const from = Math.max(minSection * 16 - 1, 0)
  const to = Math.min(maxSection * 16 + 16, 255)
  for (let y = from; y <= to; y += 1) {
    const sy = y >> 4
    const base = (y & 15) << 4
    const start = rowOf(y, 0)
    for (let z = 0; z < 16; z += 1) rows[start + z] = padRow(around, 4, kind, sy, base | z)
    rows[start - 1] = padRow(around, 1, kind, sy, base | 15)
    rows[start + 16] = padRow(around, 7, kind, sy, base)
  }
}

/** Sky heights padded by one block, by `(z + 1) * 18 + x + 1`. */
export const padHeights = (heights: Int16Array, around: Around): void => {
  for (let z = -1; z <= 16; z += 1)
    for (let x = -1; x <= 16; x += 1) {
      const at = (z < 0 ? 0 : z > 15 ? 6 : 3) + (x < 0 ? 0 : x > 15 ? 2 : 1)
      heights[(z + 1) * 18 + x + 1] = around[at]?.heights[((z & 15) << 4) | (x & 15)] ?? -1
    }
}
