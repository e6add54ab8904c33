/** The states of a column: not held, held in memory, and sent to the client. */
export const untouched = 0
export const held = 1
export const sent = 2

/**
 * The states of the columns around a view, in two bits each. The lowest `bits` of the coordinates identify a column, because they
 * are unique within its reach. A radius of 8 takes 256 bytes, a radius of 16 four times as many.
 */
export type ViewColumns = { readonly bits: number; readonly states: Uint8Array }

/** Storage for columns up to `reach` to each side. */
export const createViewColumns = (reach: number): ViewColumns => {
  const bits = Math.max(2, Math.ceil(Math.log2(2 * reach + 1)))
  return { bits, states: new Uint8Array(1 << (2 * bits - 2)) }
}

/** Whether columns up to `reach` to each side fit. */
export const hasRoomFor = ({ bits }: ViewColumns, reach: number): boolean => 1 << bits > 2 * reach

const byteOf = (bits: number, cx: number, cz: number): number => {
  const mask = (1 << bits) - 1
  return ((cx & mask) << (bits - 2)) | ((cz & mask) >> 2)
}

const shiftOf = (cz: number): number => (cz & 3) << 1

/** Returns one of the three states. */
export const stateOf = ({ bits, states }: ViewColumns, cx: number, cz: number): number =>
  ((states[byteOf(bits, cx, cz)] ?? 0) >> shiftOf(cz)) & 3

/** `state` is one of the three states. */
export const setState = ({ bits, states }: ViewColumns, cx: number, cz: number, state: number): void => {
  const at = byteOf(bits, cx, cz)
  states[at] = ((states[at] ?? 0) & ~(3 << shiftOf(cz))) | (state << shiftOf(cz))
}
