import { crc32 } from 'node:zlib'
import {
  air,
  bitsFor,
  type Chunk,
  dataBytes,
  type Section,
  type SectionBits,
  sectionSize,
  uniformSection,
} from '../../../rules/chunks/chunk.ts'
import { findUsedEntries, repackEntries } from '../../../rules/chunks/packed-entries.ts'
import type { BlockRegistry } from './block-registry.ts'
import { chunkRecord } from './chunk-record.ts'

type Plan = {
  readonly sections: readonly { readonly y: number; readonly section: Section }[]
  readonly places: ReadonlyMap<number, number>
}

/**
 * The same blocks without unused palette entries and with the narrowest entries; undefined if all is air. Returns the same section if
 * nothing can be saved.
 */
const compactSection = (section: Section): Section | undefined => {
  const used = findUsedEntries(section, section.palette.length)
  const palette = section.palette.filter((_, place) => used[place] === 1)
  const bits = bitsFor(palette.length)
  if (bits === 0) return palette[0] === air ? undefined : uniformSection(palette[0] ?? air)
  if (bits === section.bits && palette.length === section.palette.length) return section
  const placeOf = section.palette.map((index) => Math.max(0, palette.indexOf(index)))
  const { data } = repackEntries(section, bits, placeOf)
  return { palette, bits, data }
}

const planRecord = (chunk: Chunk): Plan => {
  const sections: { y: number; section: Section }[] = []
  const places = new Map<number, number>()
  for (const [y, loose] of chunk.sections.entries()) {
    const section = loose === undefined ? undefined : compactSection(loose)
    if (section === undefined) continue
    sections.push({ y, section })
    for (const index of section.palette) if (!places.has(index)) places.set(index, places.size)
  }
  return { sections, places }
}

const sizeOf = ({ sections }: Plan, ids: readonly string[]): number => {
  const r = chunkRecord
  let size = r.headBytes + r.idCountBytes + r.sectionCountBytes + r.checksumBytes
  for (const id of ids) size += 1 + id.length
  for (const { section } of sections)
    size += r.sectionHeadBytes + section.palette.length * r.paletteEntryBytes + section.data.length
  return size
}

type Target = { readonly bytes: Uint8Array; readonly view: DataView }

const writeHead = ({ view }: Target, { cx, cz }: Chunk): number => {
  view.setUint8(0, chunkRecord.magic)
  view.setUint8(1, chunkRecord.version)
  view.setInt32(2, cx, true)
  view.setInt32(6, cz, true)
  return chunkRecord.headBytes
}

const writeIds = ({ bytes, view }: Target, ids: readonly string[], start: number): number => {
  view.setUint32(start, ids.length, true)
  let at = start + chunkRecord.idCountBytes
  for (const id of ids) {
    bytes[at] = id.length
    at += 1
    for (let place = 0; place < id.length; place += 1) bytes[at + place] = id.charCodeAt(place)
    at += id.length
  }
  return at
}

const writeSections = ({ bytes, view }: Target, { sections, places }: Plan, start: number): number => {
  bytes[start] = sections.length
  let at = start + chunkRecord.sectionCountBytes
  for (const { y, section } of sections) {
    bytes[at] = y
    bytes[at + 1] = section.bits
    view.setUint16(at + 2, section.palette.length, true)
    at += chunkRecord.sectionHeadBytes
    for (const index of section.palette) {
      view.setUint16(at, places.get(index) ?? 0, true)
      at += chunkRecord.paletteEntryBytes
    }
    bytes.set(section.data, at)
    at += section.data.length
  }
  return at
}

/**
 * Encodes a column in the format of `chunkRecord`. Uses block ids instead of indexes and the narrowest entries, and leaves out unused
 * palette entries and sections of air. LMDB stores the bytes unchanged; DynamoDB deflates them. Does not change the chunk. The
 * bytes have their own buffer.
 */
export const encodeChunk = (chunk: Chunk, registry: BlockRegistry): Uint8Array<ArrayBuffer> => {
  const plan = planRecord(chunk)
  const ids = Array.from(plan.places.keys(), registry.idOf)
  const bytes = new Uint8Array(sizeOf(plan, ids))
  const target = { bytes, view: new DataView(bytes.buffer) }
  const end = writeSections(target, plan, writeIds(target, ids, writeHead(target, chunk)))
  target.view.setUint32(end, crc32(bytes.subarray(0, end)), true)
  return bytes
}

/** A column with one byte per block, in the order of sections and their entries. Each byte is an index into `indexes`. */
type ByteColumn = {
  /** At the start of its buffer, with a multiple of a section as length. */
  readonly blocks: Uint8Array
  /** Block indexes of a registry, each once, at most 256. */
  readonly indexes: readonly number[]
}

/**
 * Returns a function that packs a section of the column, numbered from below; undefined if all is air. The palette has the order of
 * `indexes`. Costs a fraction of setting single blocks. Use a packer in one thread; each call reads the current blocks.
 */
export const createSectionPacker = ({ blocks, indexes }: ByteColumn): ((section: number) => Section | undefined) => {
  const words = new Int32Array(blocks.buffer)
  const wordsPerSection = sectionSize / 4
  const isUsed = new Uint8Array(256)
  const places = new Uint8Array(256)

  const markUsed = (section: number) => {
    let last = ~(words[section * wordsPerSection] ?? 0)
    for (let at = section * wordsPerSection; at < (section + 1) * wordsPerSection; at += 1) {
      const word = words[at] ?? 0
      // Four blocks at a time: most equal the previous four.
      if (word === last) continue
      last = word
      isUsed[word & 255] = 1
      isUsed[(word >>> 8) & 255] = 1
      isUsed[(word >>> 16) & 255] = 1
      isUsed[word >>> 24] = 1
    }
  }
  const takePalette = (): number[] => {
    const palette: number[] = []
    for (let at = 0; at < indexes.length; at += 1) {
      if (isUsed[at] === 0) continue
      isUsed[at] = 0
      places[at] = palette.push(indexes[at] ?? air) - 1
    }
    return palette
  }
  const placeAt = (at: number): number => places[blocks[at] ?? 0] ?? 0

  /** Half a byte per block, as in most sections of terrain. */
  const packHalves = (section: number): Uint8Array => {
    const data = new Uint8Array(dataBytes(4))
    const start = section * wordsPerSection
    let last = ~(words[start] ?? 0)
    let low = 0
    let high = 0
    for (let place = 0; place < wordsPerSection; place += 1) {
      const word = words[start + place] ?? 0
      if (word !== last) {
        const at = (start + place) * 4
        last = word
        low = placeAt(at) | (placeAt(at + 1) << 4)
        high = placeAt(at + 2) | (placeAt(at + 3) << 4)
      }
      data[place * 2] = low
      data[place * 2 + 1] = high
    }
    return data
  }
  const packOthers = (section: number, bits: SectionBits): Uint8Array => {
    const data = new Uint8Array(dataBytes(bits))
    let at = section * sectionSize
    for (let byte = 0; byte < data.length; byte += 1) {
      let packed = 0
      for (let shift = 0; shift < 8; shift += bits, at += 1) packed |= placeAt(at) << shift
      data[byte] = packed
    }
    return data
  }

  return (section) => {
    markUsed(section)
    const palette = takePalette()
    if (palette.length === 1 && palette[0] === air) return undefined
    const bits = bitsFor(palette.length)
    if (bits === 0) return uniformSection(palette[0] ?? air)
    return { palette, bits, data: bits === 4 ? packHalves(section) : packOthers(section, bits) }
  }
}
