/** Parts of a frame's first byte, by RFC 6455, section 5.2. */
export const finalBit = 0x80
export const opcodeBits = 0x0f
export const opcodes = { continuation: 0x0, text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const

export const maskBytes = 4
/** The longest payload of a control frame, and of a frame whose header is the shortest. */
export const shortMax = 125

const reservedBits = 0x70
const maskBit = 0x80
/** The payload's length is in two, or in eight more bytes. */
const longForm = 126

/** What `frameLength` answers where the header is cut at `size`, and where no client may send such a frame. */
export const cut = 0
export const broken = -1

const mayBe = (first: number, second: number): boolean => {
  const opcode = first & opcodeBits
  if ((first & reservedBits) !== 0 || (second & maskBit) === 0) return false
  if (opcode < opcodes.close) return opcode <= opcodes.binary
  return opcode <= opcodes.pong && (first & finalBit) !== 0 && (second & ~maskBit) <= shortMax
}

/** Bytes of the frame at `at`, header included, in the first `size` bytes of `chunk`; or `cut`, or `broken`. */
export const frameLength = (chunk: Buffer, at: number, size: number): number => {
  if (at + 1 >= size) return cut
  const second = chunk[at + 1] ?? 0
  if (!mayBe(chunk[at] ?? 0, second)) return broken
  const short = second & ~maskBit
  if (short <= shortMax) return 2 + maskBytes + short
  if (short === longForm) return at + 4 > size ? cut : 4 + maskBytes + chunk.readUInt16BE(at + 2)
  return at + 10 > size ? cut : 10 + maskBytes + chunk.readUInt32BE(at + 2) * 2 ** 32 + chunk.readUInt32BE(at + 6)
}

/** Of those bytes, how many are header. */
export const headerLength = (second: number): number => {
  const short = second & ~maskBit
  if (short <= shortMax) return 2 + maskBytes
  return (short === longForm ? 4 : 10) + maskBytes
}
