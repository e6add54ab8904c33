import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type Chunk, createChunk, dataBytes, type SectionBits, uniformSection } from '../../../shared/rules/chunks/chunk.ts'

/** The fastest level. The window contains a section and the previous one. */
const deflation = { level: 1, windowBits: 12, memLevel: 5 } as const
/** The header of each section: its number, the bits of its entries, and the length of its palette. */
const headBytes = 4
const indexBytes = 2

/**
 * The blocks of a column, deflated to about a fifth. Only for this process, because it uses indexes of its registry and has no
 * checksum.
 */
export const packChunk = ({ sections }: Chunk): Uint8Array => {
  let bytes = 0
  for (const section of sections)
    if (section !== undefined) bytes += headBytes + section.palette.length * indexBytes + section.data.length
  const plain = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const [y, section] of sections.entries()) {
    if (section === undefined) continue
    const { palette, bits, data } = section
    plain[at] = y
    plain[at + 1] = bits
    plain.writeUInt16LE(palette.length, at + 2)
    at += headBytes
    for (const index of palette) at = plain.writeUInt16LE(index, at)
    plain.set(data, at)
    at += data.length
  }
  // A copy, because the result is part of a larger buffer.
  return new Uint8Array(deflateRawSync(plain, deflation))
}

/** Reverses `packChunk`. */
export const unpackChunk = (packed: Uint8Array, cx: number, cz: number): Chunk => {
  const plain = inflateRawSync(packed)
  const chunk = createChunk(cx, cz)
  let at = 0
  while (at < plain.length) {
    const y = plain.readUInt8(at)
    const bits = plain.readUInt8(at + 1) as SectionBits
    const length = plain.readUInt16LE(at + 2)
    at += headBytes
    const palette: number[] = []
    for (; palette.length < length; at += indexBytes) palette.push(plain.readUInt16LE(at))
    const end = at + dataBytes(bits)
    const isUniform = bits === 0 && length === 1
    chunk.sections[y] = isUniform
      ? uniformSection(palette[0] ?? 0)
      : { palette, bits, data: new Uint8Array(plain.subarray(at, end)) }
    at = end
  }
  return chunk
}
