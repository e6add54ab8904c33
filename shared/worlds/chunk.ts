import { chunkBlocks, sectionsPerChunk } from './positions.ts'

/** How many blocks a section has. */
export const sectionSize = chunkBlocks ** 3

/** Bits of one entry: powers of two, so that none lies across two bytes. */
export type SectionBits = 0 | 1 | 2 | 4 | 8 | 16

/**
 * 16×16×16 blocks. Entry `y * 256 + z * 16 + x` of `data` is a place in `palette`, `bits` wide, lowest bits first, 16 bits little-endian;
 * with 0 bits there is no data and all blocks are `palette[0]`. The palette holds block indexes of a registry, each at most once, some perhaps unused.
 */
export type Section = { palette: number[]; bits: SectionBits; data: Uint8Array }

/** A column of the world in memory, packed. A section that is absent is all air. */
export type Chunk = { readonly cx: number; readonly cz: number; readonly sections: (Section | undefined)[] }

/** The index of air in every registry. */
export const air = 0

/** A column of nothing but air. */
export const createChunk = (cx: number, cz: number): Chunk => ({
  cx,
  cz,
  sections: Array.from<Section | undefined>({ length: sectionsPerChunk }).fill(undefined),
})

/** The narrowest entries that tell so many palette entries apart. */
export const bitsFor = (paletteLength: number): SectionBits => {
  if (paletteLength <= 1) return 0
  if (paletteLength <= 2) return 1
  if (paletteLength <= 4) return 2
  if (paletteLength <= 16) return 4
  return paletteLength <= 256 ? 8 : 16
}

/** Bytes of a section's data. */
export const dataBytes = (bits: SectionBits): number => (sectionSize * bits) / 8

const readEntry = ({ bits, data }: Section, at: number): number => {
  if (bits === 0) return 0
  if (bits === 8) return data[at] ?? 0
  if (bits === 16) return (data[at * 2] ?? 0) | ((data[at * 2 + 1] ?? 0) << 8)
  const bit = at * bits
  return ((data[bit >> 3] ?? 0) >> (bit & 7)) & ((1 << bits) - 1)
}

const writeEntry = ({ bits, data }: Section, at: number, entry: number): void => {
  if (bits === 0) return
  if (bits === 8) data[at] = entry
  else if (bits === 16) {
    data[at * 2] = entry & 255
    data[at * 2 + 1] = entry >> 8
  } else {
    const bit = at * bits
    const mask = ((1 << bits) - 1) << (bit & 7)
    data[bit >> 3] = ((data[bit >> 3] ?? 0) & ~mask) | (entry << (bit & 7))
  }
}

const widen = (section: Section, bits: SectionBits): void => {
  const before = { ...section }
  section.bits = bits
  section.data = new Uint8Array(dataBytes(bits))
  for (let at = 0; at < sectionSize; at += 1) writeEntry(section, at, readEntry(before, at))
}

const placeInPalette = (section: Section, index: number): number => {
  const known = section.palette.indexOf(index)
  if (known >= 0) return known
  const place = section.palette.push(index) - 1
  const bits = bitsFor(section.palette.length)
  if (bits !== section.bits) widen(section, bits)
  return place
}

/** Entry of a section for a block of the world or of the column: only the lowest four bits of each count. */
export const entryAt = (x: number, y: number, z: number): number => ((y & 15) << 8) | ((z & 15) << 4) | (x & 15)

/** The block index at entry `at` of a section. */
export const readSection = (section: Section, at: number): number => section.palette[readEntry(section, at)] ?? air

/** The block index at world or column coordinates; `y` in 0…255. */
export const getBlock = ({ sections }: Chunk, x: number, y: number, z: number): number => {
  const section = sections[y >> 4]
  return section === undefined ? air : readSection(section, entryAt(x, y, z))
}

/** Puts a block, at world or column coordinates; `y` in 0…255. */
export const setBlock = ({ sections }: Chunk, { x, y, z }: { x: number; y: number; z: number }, index: number): void => {
  let section = sections[y >> 4]
  if (section === undefined) {
    if (index === air) return
    section = { palette: [air], bits: 0, data: new Uint8Array(0) }
    sections[y >> 4] = section
  }
  writeEntry(section, entryAt(x, y, z), placeInPalette(section, index))
}
