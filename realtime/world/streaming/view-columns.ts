/** Columns are told apart by the lowest bits of their coordinates, which no two within a view of 16 to each side share. */
const sideBits = 6
const side = 2 ** sideBits

/** What a view has to do with each column around it; a byte a column. */
export type ViewColumns = Uint8Array

/** Nothing; it holds the column in memory; its client has it. */
export const untouched = 0
export const held = 1
export const sent = 2

export const createViewColumns = (): ViewColumns => new Uint8Array(side * side)

/** Where a column stands. */
export const placeOf = (cx: number, cz: number): number => ((cx & (side - 1)) << sideBits) | (cz & (side - 1))
