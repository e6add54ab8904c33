import { air, bitsFor, dataBytes, type Section, type SectionBits, sectionSize } from './chunk.ts'

/** `bits` is 1, 2 or 4. */
const packNarrow = (entries: Uint16Array, bits: SectionBits, data: Uint8Array): void => {
  let at = 0
  for (let byte = 0; byte < data.length; byte += 1) {
    let packed = 0
    for (let shift = 0; shift < 8; shift += bits, at += 1) packed |= (entries[at] ?? 0) << shift
    data[byte] = packed
  }
}

const packEntries = (entries: Uint16Array, bits: SectionBits): Uint8Array => {
  const data = new Uint8Array(dataBytes(bits))
  if (bits === 8) data.set(entries)
  else if (bits === 16)
    for (const [at, entry] of entries.entries()) {
      data[at * 2] = entry & 255
      data[at * 2 + 1] = entry >> 8
    }
  else if (bits > 0) packNarrow(entries, bits, data)
  return data
}

export type SectionPacker = (blocks: Uint16Array) => Section | undefined

/**
 * Makes a section of 4,096 block indexes, in the order of its entries: undefined when all are air. The palette is in the order of
 * first appearance. Costs a fraction of setting blocks one by one; a packer is for one thread, since it keeps its scratch memory.
 */
export const createSectionPacker = (): SectionPacker => {
  /** Place of a block index in the palette, counted from 1; all 0 between calls. */
  const places = new Uint16Array(65_536)
  const entries = new Uint16Array(sectionSize)

  const findPalette = (blocks: Uint16Array): number[] => {
    const palette: number[] = []
    let last = -1
    let place = 0
    for (let at = 0; at < sectionSize; at += 1) {
      const index = blocks[at] ?? air
      if (index !== last) {
        last = index
        place = places[index] ?? 0
        if (place === 0) {
          place = palette.push(index)
          places[index] = place
        }
      }
      entries[at] = place - 1
    }
    for (const index of palette) places[index] = 0
    return palette
  }

  return (blocks) => {
    const palette = findPalette(blocks)
    if (palette.length === 1 && palette[0] === air) return undefined
    const bits = bitsFor(palette.length)
    return { palette, bits, data: packEntries(entries, bits) }
  }
}
