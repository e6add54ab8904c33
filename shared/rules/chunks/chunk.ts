import { sectionsPerChunk } from '../positions.ts'
import { readEntry, repackEntries, type SectionBits, writeEntry } from './packed-entries.ts'

export { dataBytes, type SectionBits, sectionSize } from './packed-entries.ts'

/**
 * 16×16×16 blocks. Entry `y * 256 + z * 16 + x` of `data` is an index into `palette`: `bits` wide, lowest bits first, 16 bits
 * little-endian. With 0 bits there is no data, and all blocks are `palette[0]`. The palette has block indexes of a registry, each at
 * most once; some may be unused.
 */
export type Section = { readonly palette: readonly number[]; readonly bits: SectionBits; readonly data: Uint8Array }

/** A packed column of the world in memory. An absent section is all air. */
export type Chunk = { readonly cx: number; readonly cz: number; readonly sections: (Section | undefined)[] }

/** The index of air in every registry. */
export const air = 0

/** A column of air. */
export const createChunk = (cx: number, cz: number): Chunk => ({
  cx,
  cz,
  sections: Array.from<Section | undefined>({ length: sectionsPerChunk }).fill(undefined),
})

/** The smallest entry width for a palette of that length. */
export const bitsFor = (paletteLength: number): SectionBits => {
  if (paletteLength <= 1) return 0
  if (paletteLength <= 2) return 1
  if (paletteLength <= 4) return 2
  if (paletteLength <= 16) return 4
  return paletteLength <= 256 ? 8 : 16
}

const uniform = new Map<number, Section>()

/** The section of one block throughout. It is shared, since most sections of a world are like that. */
export const uniformSection = (index: number): Section => {
  const cached = uniform.get(index)
  if (cached !== undefined) return cached
  const section = Object.freeze({ palette: [index], bits: 0, data: new Uint8Array(0) } as const)
  uniform.set(index, section)
  return section
}

/** The same blocks, with one more entry at the end of the palette. */
const widenPalette = (section: Section, index: number): Section => {
  const palette = [...section.palette, index]
  const bits = bitsFor(palette.length)
  // Entries may be wider than necessary; they never get narrower here.
  return bits > section.bits ? { palette, ...repackEntries(section, bits) } : { ...section, palette }
}

/** The entry of a block in a section, from world or column coordinates: only the lowest four bits of each count. */
export const entryAt = (x: number, y: number, z: number): number => ((y & 15) << 8) | ((z & 15) << 4) | (x & 15)

/** The block index at entry `at` of a section. */
export const readSection = (section: Section, at: number): number => section.palette[readEntry(section, at)] ?? air

/** The block index at world or column coordinates; `y` in 0…255. */
export const getBlock = ({ sections }: Chunk, x: number, y: number, z: number): number => {
  const section = sections[y >> 4]
  return section === undefined ? air : readSection(section, entryAt(x, y, z))
}

/** Sets a block, at world or column coordinates; `y` in 0…255. */
export const setBlock = ({ sections }: Chunk, { x, y, z }: { x: number; y: number; z: number }, index: number): void => {
  const existing = sections[y >> 4]
  if (existing === undefined && index === air) return
  let section = existing ?? uniformSection(air)
  let place = section.palette.indexOf(index)
  if (place < 0) {
    place = section.palette.length
    section = widenPalette(section, index)
    sections[y >> 4] = section
  }
  writeEntry(section, entryAt(x, y, z), place)
}
