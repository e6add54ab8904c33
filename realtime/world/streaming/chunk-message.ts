import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { air, type Chunk, type Section } from '../../../shared/rules/chunks/chunk.ts'
import { varintLength, writeVarint } from '../../interest/varint.ts'
import type { ServerMessageKind } from '../../protocol/messages.ts'
import { frameHeaderLength, writeFrameHeader } from '../../protocol/web-socket-frame.ts'

/** The tags of `ServerMessage.chunk` and of the fields of Chunk and Section. */
const chunkTag = 0x12
const cxTag = 0x08
const czTag = 0x10
const sectionTag = 0x1a
const yTag = 0x08
const paletteTag = 0x12
const bitsTag = 0x18
const dataTag = 0x22

/** Zigzag encoding of a signed number (sint32 of protobuf). */
const zigzag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0

const isAllAir = ({ bits, palette }: Section): boolean => bits === 0 && palette[0] === air

type Part = {
  readonly y: number
  readonly section: Section
  readonly palette: readonly number[]
  paletteBytes: number
  bytes: number
}

const measureField = (bytes: number): number => 1 + varintLength(bytes) + bytes

const measureNumber = (value: number): number => (value === 0 ? 0 : 1 + varintLength(value))

const toPart = (y: number, section: Section, registry: BlockRegistry): Part => {
  const palette = section.palette.map(registry.wireIndex)
  let paletteBytes = 0
  for (const index of palette) paletteBytes += varintLength(index)
  const dataBytes = section.bits === 0 ? 0 : measureField(section.data.length)
  const bytes = measureNumber(y) + measureField(paletteBytes) + measureNumber(section.bits) + dataBytes
  return { y, section, palette, paletteBytes, bytes }
}

const writeNumber = (target: Uint8Array, at: number, tag: number, value: number): number => {
  if (value === 0) return at
  target[at] = tag
  return writeVarint(target, at + 1, value)
}

const writeLength = (target: Uint8Array, at: number, tag: number, bytes: number): number => {
  target[at] = tag
  return writeVarint(target, at + 1, bytes)
}

const writePart = (target: Uint8Array, start: number, { y, section, palette, paletteBytes, bytes }: Part): number => {
  let at = writeLength(target, start, sectionTag, bytes)
  at = writeNumber(target, at, yTag, y)
  at = writeLength(target, at, paletteTag, paletteBytes)
  for (const index of palette) at = writeVarint(target, at, index)
  at = writeNumber(target, at, bitsTag, section.bits)
  if (section.bits === 0) return at
  at = writeLength(target, at, dataTag, section.data.length)
  target.set(section.data, at)
  return at + section.data.length
}

const listParts = ({ sections }: Chunk, registry: BlockRegistry): Part[] => {
  const parts: Part[] = []
  for (const [y, section] of sections.entries())
    if (section !== undefined && !isAllAir(section)) parts.push(toPart(y, section, registry))
  return parts
}

/**
 * The Chunk message of a column as a whole binary frame. It equals the output of the generated encoder, at little more than the
 * cost of a copy. Unknown block types become the placeholder, which may be in a palette several times.
 */
export const encodeChunkFrame = (chunk: Chunk, registry: BlockRegistry): Uint8Array => {
  const parts = listParts(chunk, registry)
  const cx = zigzag(chunk.cx)
  const cz = zigzag(chunk.cz)
  let bytes = measureNumber(cx) + measureNumber(cz)
  for (const part of parts) bytes += measureField(part.bytes)
  const payloadBytes = measureField(bytes)
  // Not from the shared pool: the frame is kept for a while and would keep its neighbours alive.
  const frame = Buffer.allocUnsafeSlow(frameHeaderLength(payloadBytes) + payloadBytes)
  let at = writeFrameHeader(frame, 'binary', payloadBytes)
  at = writeLength(frame, at, chunkTag, bytes)
  at = writeNumber(frame, at, cxTag, cx)
  at = writeNumber(frame, at, czTag, cz)
  for (const part of parts) at = writePart(frame, at, part)
  return frame
}

/** The same as a message, for the JSON mapping. */
export const toChunkMessage = (chunk: Chunk, registry: BlockRegistry): ServerMessageKind => ({
  $case: 'chunk',
  value: {
    cx: chunk.cx,
    cz: chunk.cz,
    sections: listParts(chunk, registry).map(({ y, section: { bits, data }, palette }) => ({
      y,
      palette: [...palette],
      bits,
      data,
    })),
  },
})
