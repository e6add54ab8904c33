import {
  air,
  bitsFor,
  type Chunk,
  createChunk,
  dataBytes,
  type Section,
  sectionSize,
  uniformSection,
} from '../../../shared/rules/chunks/chunk.ts'
import { writeEntry } from '../../../shared/rules/chunks/packed-entries.ts'
import { type ChunkPos, sectionsPerChunk } from '../../../shared/rules/positions.ts'
import type { BlockMatch } from './block-names.ts'
import type { MinecraftBlock, MinecraftColumn, MinecraftSection } from './read-minecraft-column.ts'
import type { Skip } from './skip-reason.ts'

/** Blocks of a column by their match. */
export type ColumnCounts = {
  /** Blocks other than air, below height 0 and above 255. */
  cutBelow: number
  cutAbove: number
  /** By Minecraft name. */
  readonly guessed: Map<string, number>
  readonly leftOut: Map<string, number>
}

export const createColumnCounts = (): ColumnCounts => ({ cutBelow: 0, cutAbove: 0, guessed: new Map(), leftOut: new Map() })

const wordBits = 64
const entryBitsMin = 4

/** A hostile file may have any number of names: further ones are counted together. */
const namesMax = 10_000
const otherNames = '(further names)'

const count = (counts: Map<string, number>, name: string, blocks: number): void => {
  const key = counts.has(name) || counts.size < namesMax ? name : otherNames
  counts.set(key, (counts.get(key) ?? 0) + blocks)
}

/** Entries are in 64-bit words from the lowest bits up, and none crosses into the next word. */
const unpack = (data: BigInt64Array, bits: number, entries: Uint16Array): void => {
  // Halves of 32 bits: arithmetic on whole words would create a bigint for each entry.
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const mask = 2 ** bits - 1
  const perWord = Math.floor(wordBits / bits)
  // The array is in the byte order of this machine.
  const [lowAt, highAt] = isLittleEndian ? [0, 4] : [4, 0]
  for (let word = 0, at = 0; at < sectionSize; word += 1) {
    const low = view.getUint32(word * 8 + lowAt, isLittleEndian)
    const high = view.getUint32(word * 8 + highAt, isLittleEndian)
    for (let n = 0, shift = 0; n < perWord && at < sectionSize; n += 1, at += 1, shift += bits) {
      if (shift >= 32) entries[at] = (high >>> (shift - 32)) & mask
      else entries[at] = shift + bits <= 32 ? (low >>> shift) & mask : ((low >>> shift) | (high << (32 - shift))) & mask
    }
  }
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

const unpackSection = ({ palette, data }: MinecraftSection, entries: Uint16Array): string | undefined => {
  if (palette.length === 1 || data === undefined) {
    entries.fill(0)
    return palette.length === 1 ? undefined : 'a section with several blocks has no data'
  }
  const bits = Math.max(entryBitsMin, Math.ceil(Math.log2(palette.length)))
  if (data.length !== Math.ceil(sectionSize / Math.floor(wordBits / bits))) return 'the data of a section has a wrong length'
  unpack(data, bits, entries)
  return entries.some((entry) => entry >= palette.length) ? 'an entry of a section is outside its palette' : undefined
}

/** The number of blocks for each palette entry of a section. */
const countEntries = (entries: Uint16Array, paletteLength: number): Uint16Array => {
  const counts = new Uint16Array(paletteLength)
  for (const entry of entries) counts[entry] = (counts[entry] ?? 0) + 1
  return counts
}

const isAirName = (name: string): boolean => name === 'air' || name === 'cave_air' || name === 'void_air'

const countCut = ({ y, palette }: MinecraftSection, used: Uint16Array, counts: ColumnCounts): void => {
  let cut = 0
  for (const [entry, { name }] of palette.entries()) if (!isAirName(name)) cut += used[entry] ?? 0
  if (y < 0) counts.cutBelow += cut
  else counts.cutAbove += cut
}

/** The section of these entries, where entry n means the block `indexes[n]`; undefined when all are air. */
const packSection = (entries: Uint16Array, indexes: readonly number[], used: Uint16Array): Section | undefined => {
  const palette = [...new Set(indexes.filter((_, entry) => (used[entry] ?? 0) > 0))]
  if (palette.length === 1) return palette[0] === air ? undefined : uniformSection(palette[0] ?? air)
  const bits = bitsFor(palette.length)
  const placeOf = new Map(palette.map((index, place) => [index, place]))
  const places = indexes.map((index) => placeOf.get(index) ?? 0)
  const packed = { bits, data: new Uint8Array(dataBytes(bits)) }
  for (let at = 0; at < sectionSize; at += 1) writeEntry(packed, at, places[entries[at] ?? 0] ?? 0)
  return { palette, ...packed }
}

/** Returns a function that converts a Minecraft column and adds to `counts`. A damaged column adds nothing. */
export const createColumnConverter = (matchOf: (block: MinecraftBlock) => BlockMatch) => {
  const entries = new Uint16Array(sectionSize)

  const convertSection = (section: MinecraftSection, chunk: Chunk, counts: ColumnCounts): string | undefined => {
    const fault = unpackSection(section, entries)
    if (fault !== undefined) return fault
    const used = countEntries(entries, section.palette.length)
    if (section.y < 0 || section.y >= sectionsPerChunk) {
      countCut(section, used, counts)
      return undefined
    }
    const matches = section.palette.map(matchOf)
    for (const [entry, { likeness }] of matches.entries()) {
      const [blocksOfIt = 0, name = ''] = [used[entry], section.palette[entry]?.name]
      if (likeness !== 'as' && blocksOfIt > 0) count(likeness === 'guess' ? counts.guessed : counts.leftOut, name, blocksOfIt)
    }
    const indexes = matches.map(({ index }) => index)
    chunk.sections[section.y] = packSection(entries, indexes, used)
    return undefined
  }

  return ({ sections }: MinecraftColumn, { cx, cz }: ChunkPos, counts: ColumnCounts): Chunk | Skip => {
    const chunk = createChunk(cx, cz)
    const own = createColumnCounts()
    for (const section of sections) {
      const fault = convertSection(section, chunk, own)
      if (fault !== undefined) return { reason: 'damaged', detail: fault }
    }
    counts.cutBelow += own.cutBelow
    counts.cutAbove += own.cutAbove
    for (const [name, blocksOfIt] of own.guessed) count(counts.guessed, name, blocksOfIt)
    for (const [name, blocksOfIt] of own.leftOut) count(counts.leftOut, name, blocksOfIt)
    return chunk
  }
}
