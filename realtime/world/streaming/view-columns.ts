/** Columns are told apart by the lowest bits of their coordinates, which no two within a view of 16 to each side share. */
const sideBits = 6
const side = 2 ** sideBits

/** What a view has to do with each column around it: two bits a column, a kibibyte for each client. */
export type ViewColumns = Uint8Array

/** Nothing; it holds the column in memory; its client has it. */
export const untouched = 0
export const held = 1
export const sent = 2

type ColumnState = typeof untouched | typeof held | typeof sent

export const createViewColumns = (): ViewColumns => new Uint8Array((side * side) / 4)

const byteOf = (cx: number, cz: number): number => ((cx & (side - 1)) << (sideBits - 2)) | ((cz & (side - 1)) >> 2)

const shiftOf = (cz: number): number => (cz & 3) << 1

/** One of the three. */
export const stateOf = (columns: ViewColumns, cx: number, cz: number): number =>
  ((columns[byteOf(cx, cz)] ?? 0) >> shiftOf(cz)) & 3

export const setState = (columns: ViewColumns, cx: number, cz: number, state: ColumnState): void => {
  const at = byteOf(cx, cz)
  columns[at] = ((columns[at] ?? 0) & ~(3 << shiftOf(cz))) | (state << shiftOf(cz))
}
