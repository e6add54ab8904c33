import { sectionsPerChunk } from '../positions.ts'
import { type EntryBits, entriesPerSection, readEntry, repackEntries, writeEntry } from './packed-entries.ts'

export { dataBytes } from './packed-entries.ts'

/** How many blocks a section has. */
export const sectionSize = entriesPerSection

export type SectionBits = EntryBits

/**
 * 16×16×16 blocks. Entry `y * 256 + z * 16 + x` of `data` is a place in `palette`: `bits` wide, lowest bits first, 16 bits little-endian.
 * With 0 bits there is no data, and all blocks are `palette[0]`. The palette holds block indexes of a registry, each at most once, some perhaps unused.
 */
export type Section = { readonly palette: readonly number[]; readonly bits: SectionBits; readonly data: Uint8Array }

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

const uniform = new Map<number, Section>()

/** The section of one block throughout: the same for all columns, since most sections of a world are like that. */
export const uniformSection = (index: number): Section => {
  const known = uniform.get(index)
  if (known !== undefined) return known
  const section = Object.freeze({ palette: [index], bits: 0, data: new Uint8Array(0) } as const)
  uniform.set(index, section)
  return section
}

/** The same blocks, with one more in the palette, at its end. */
const widenPalette = (section: Section, index: number): Section => {
  const palette = [...section.palette, index]
  const bits = bitsFor(palette.length)
  // A palette may be wider than it needs; it never gets narrower here.
  return bits > section.bits ? { palette, ...repackEntries(section, bits) } : { ...section, palette }
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
  const there = sections[y >> 4]
  if (there === undefined && index === air) return
  let section = there ?? uniformSection(air)
  let place = section.palette.indexOf(index)
  if (place < 0) {
    place = section.palette.length
    section = widenPalette(section, index)
    sections[y >> 4] = section
  }
  writeEntry(section, entryAt(x, y, z), place)
}
