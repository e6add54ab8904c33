import { crc32 } from 'node:zlib'
import { isBlockId } from '../../../rules/block-id.ts'
import { air, bitsFor, type Chunk, createChunk, type Section, uniformSection } from '../../../rules/chunks/chunk.ts'
import { dataBytes, findUsedEntries } from '../../../rules/chunks/packed-entries.ts'
import { type ChunkPos, sectionsPerChunk } from '../../../rules/positions.ts'
import type { BlockRegistry } from './block-registry.ts'
import { chunkRecord } from './chunk-record.ts'

export type DecodeResult =
  | { readonly ok: true; readonly chunk: Chunk }
  /** `fault` is for the log and for operators. `newer` means that the record is valid, but of a newer version. */
  | { readonly ok: false; readonly fault: string; readonly newer: boolean }

/** A part of a record, or its fault in words. */
type Part<T> = T | string

/** Checks the magic, checksum and version of a record without reading its contents. */
export const findEnvelopeFault = (bytes: Uint8Array): { fault: string; newer: boolean } | undefined => {
  const { headBytes, checksumBytes, magic, version } = chunkRecord
  const end = bytes.length - checksumBytes
  if (end < headBytes) return { fault: 'too short for a column record', newer: false }
  if (bytes[0] !== magic) return { fault: 'not a column record', newer: false }
  const checksum = new DataView(bytes.buffer, bytes.byteOffset + end, checksumBytes).getUint32(0, true)
  if (crc32(bytes.subarray(0, end)) !== checksum)
    return { fault: 'the checksum does not match: bytes were changed or lost', newer: false }
  const actual = bytes[1] ?? 0
  if (actual > version) return { fault: `made by a newer version (format ${actual}, known is ${version})`, newer: true }
  return actual === version ? undefined : { fault: `format ${actual} does not exist`, newer: false }
}

/** Reads little-endian values one after another. Past the end it returns zeros and `failed()` becomes true. Never throws. */
type ByteReader = {
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
const createByteReader = (bytes: Uint8Array): ByteReader => {
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

const readIds = (reader: ByteReader): Part<{ ids: string[] }> => {
  const count = reader.u32()
  // Each id takes at least two bytes.
  if (count > reader.left() / 2) return 'more block ids than there is room for'
  const ids: string[] = []
  for (let place = 0; place < count; place += 1) {
    const id = reader.text(reader.u8())
    if (!isBlockId(id)) return `block id ${place} is not valid`
    ids.push(id)
  }
  return new Set(ids).size === count ? { ids } : 'a duplicate block id'
}

/** The palette as indexes into the ids. */
const readPalette = (reader: ByteReader, length: number, idCount: number): Part<number[]> => {
  if (length === 0 || length > reader.left() / chunkRecord.paletteEntryBytes) return 'a palette with a wrong length'
  const palette: number[] = []
  for (let place = 0; place < length; place += 1) {
    const id = reader.u16()
    if (id >= idCount) return 'a palette entry without a block id'
    palette.push(id)
  }
  return new Set(palette).size === length ? palette : 'a palette with a duplicate block'
}

const isWithinPalette = (section: Section): boolean => {
  const { bits, palette } = section
  return palette.length === 1 << bits || findUsedEntries(section).indexOf(1, palette.length) === -1
}

const readSection = (reader: ByteReader, idCount: number): Part<{ y: number; section: Section }> => {
  const y = reader.u8()
  const actual = reader.u8()
  const palette = readPalette(reader, reader.u16(), idCount)
  if (typeof palette === 'string') return palette
  const bits = bitsFor(palette.length)
  if (bits !== actual) return `entries of ${actual} bits for a palette of ${palette.length}`
  const section = { palette, bits, data: reader.copy(dataBytes(bits)) }
  if (reader.failed()) return 'it ends in the middle of a section'
  return isWithinPalette(section) ? { y, section } : 'an entry beyond its palette'
}

const readSections = (reader: ByteReader, idCount: number): Part<Map<number, Section>> => {
  const count = reader.u8()
  const sections = new Map<number, Section>()
  let below = -1
  for (let place = 0; place < count; place += 1) {
    const part = readSection(reader, idCount)
    if (typeof part === 'string') return part
    const { y, section } = part
    if (y >= sectionsPerChunk) return `section ${y} is above the world`
    if (y <= below) return `section ${y} is duplicate or out of order`
    below = y
    sections.set(y, section)
  }
  if (reader.failed() || reader.left() > 0) return 'its length does not match its parts'
  return sections
}

const readRecord = (bytes: Uint8Array, pos: ChunkPos): Part<{ ids: string[]; sections: Map<number, Section> }> => {
  const reader = createByteReader(bytes.subarray(2, bytes.length - chunkRecord.checksumBytes))
  const [cx, cz] = [reader.i32(), reader.i32()]
  if (cx !== pos.cx || cz !== pos.cz) return `it is column ${cx},${cz}, not ${pos.cx},${pos.cz}`
  const table = readIds(reader)
  if (typeof table === 'string') return table
  const sections = readSections(reader, table.ids.length)
  return typeof sections === 'string' ? sections : { ...table, sections }
}

/**
 * Decodes a record of `encodeChunk`. `pos` is its position in the store. Never throws: an invalid record returns a fault. Keeps no
 * reference to `bytes`. Unknown ids get an index in the registry, but only if the record has no fault.
 */
export const decodeChunk = (bytes: Uint8Array, pos: ChunkPos, registry: BlockRegistry): DecodeResult => {
  const envelope = findEnvelopeFault(bytes)
  if (envelope !== undefined) return { ok: false, ...envelope }
  const record = readRecord(bytes, pos)
  if (typeof record === 'string') return { ok: false, fault: record, newer: false }
  const indexes = record.ids.map(registry.intern)
  const chunk = createChunk(pos.cx, pos.cz)
  for (const [y, section] of record.sections) {
    const palette = section.palette.map((place) => indexes[place] ?? air)
    chunk.sections[y] = section.bits === 0 ? uniformSection(palette[0] ?? air) : { ...section, palette }
  }
  return { ok: true, chunk }
}
