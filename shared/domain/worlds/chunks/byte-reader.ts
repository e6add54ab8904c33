/** Reads little-endian values one after another. Past the end it returns zeros and `failed()` becomes true. Never throws. */
export type ByteReader = {
  u8(): number
  u16(): number
  u32(): number
  i32(): number
  /** One character per byte. */
  text(bytes: number): string
  /** A copy; empty past the end. */
  copy(bytes: number): Uint8Array
  left(): number
  failed(): boolean
}

/** Reads from the start of `bytes`, which must not change in the meantime. */
export const createByteReader = (bytes: Uint8Array): ByteReader => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let failed = false
  const advance = (count: number): number | undefined => {
    failed ||= count > bytes.length - at
    if (failed) return undefined
    at += count
    return at - count
  }
  const number = (size: number, read: (from: number) => number) => () => {
    const from = advance(size)
    return from === undefined ? 0 : read(from)
  }
  return {
    u8: number(1, (from) => view.getUint8(from)),
    u16: number(2, (from) => view.getUint16(from, true)),
    u32: number(4, (from) => view.getUint32(from, true)),
    i32: number(4, (from) => view.getInt32(from, true)),
    text: (count) => {
      const from = advance(count)
      return from === undefined ? '' : buffer.toString('latin1', from, from + count)
    },
    copy: (count) => {
      const from = advance(count)
      return from === undefined ? new Uint8Array(0) : new Uint8Array(bytes.subarray(from, from + count))
    },
    left: () => bytes.length - at,
    failed: () => failed,
  }
}
