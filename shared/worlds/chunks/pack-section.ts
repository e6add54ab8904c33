import { air, bitsFor, dataBytes, type Section, type SectionBits, sectionSize } from './chunk.ts'

/** A column whose blocks are bytes, in the order of sections and of their entries; each byte is a place in `indexes`. */
export type ByteColumn = {
  /** From the start of its buffer, and a multiple of a section long. */
  readonly blocks: Uint8Array
  /** Block indexes of a registry, each once, at most 256. */
  readonly indexes: readonly number[]
}

/**
 * Packs sections of a column, by their number from below; undefined when all is air. The palette is in the order of `indexes`. Costs
 * a fraction of setting blocks one by one; a packer is for one thread, and looks at the column as it is with each call.
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
      // Four blocks at a time: most are the same as the four before.
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

  /** Half a byte each, as in most sections of terrain. */
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
    if (bits === 0) return { palette, bits, data: new Uint8Array(0) }
    return { palette, bits, data: bits === 4 ? packHalves(section) : packOthers(section, bits) }
  }
}
