/** Nothing; it holds the column in memory; its client has it. */
export const untouched = 0
export const held = 1
export const sent = 2

/**
 * What a view has to do with each column around it, in two bits each. Columns are told apart by the lowest `bits` of their coordinates,
 * which no two within its reach share: a view of 8 to each side takes 256 bytes, one of 16 four times as many.
 */
export type ViewColumns = { readonly bits: number; readonly states: Uint8Array }

/** Room for the columns that are at most `reach` to each side. */
export const createViewColumns = (reach: number): ViewColumns => {
  const bits = Math.max(2, Math.ceil(Math.log2(2 * reach + 1)))
  return { bits, states: new Uint8Array(1 << (2 * bits - 2)) }
}

/** Whether all columns at most `reach` to each side can be told apart. */
export const hasRoomFor = ({ bits }: ViewColumns, reach: number): boolean => 1 << bits > 2 * reach

const byteOf = (bits: number, cx: number, cz: number): number => {
  const mask = (1 << bits) - 1
  return ((cx & mask) << (bits - 2)) | ((cz & mask) >> 2)
}

const shiftOf = (cz: number): number => (cz & 3) << 1

/** One of the three. */
export const stateOf = ({ bits, states }: ViewColumns, cx: number, cz: number): number =>
  ((states[byteOf(bits, cx, cz)] ?? 0) >> shiftOf(cz)) & 3

/** `state` is one of the three. */
export const setState = ({ bits, states }: ViewColumns, cx: number, cz: number, state: number): void => {
  const at = byteOf(bits, cx, cz)
  states[at] = ((states[at] ?? 0) & ~(3 << shiftOf(cz))) | (state << shiftOf(cz))
}
