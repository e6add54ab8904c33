import { chunkBlocks } from '../../../rules/positions.ts'
import { placeholder } from '../../worlds/chunks/block-registry.ts'
import type { ScannedSection } from './scan-column.ts'

/** Blocks of one layer of a section, and of a column. */
export const layerBlocks = chunkBlocks * chunkBlocks

/** The lowest bit of each entry in 32 bits. */
const lowestBits = { 1: 0xffffffff, 2: 0x55555555, 4: 0x11111111, 8: 0x01010101, 16: 0x00010001 } as const

/** How many bits are set (H. S. Warren, Hacker's Delight, section 5-1). */
const countBits = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** How many blocks of a layer, 0…15, are not air; looks at 32 bits at a time. */
export const countLayer = ({ view, dataAt, bits, airPlace }: ScannedSection, layer: number): number => {
  if (airPlace === -1) return layerBlocks
  if (bits === 0) return 0
  const lowest = lowestBits[bits]
  const air = Math.imul(airPlace, lowest)
  const [by1, by2, by4, by8] = [bits > 1 ? 1 : 0, bits > 2 ? 2 : 0, bits > 4 ? 4 : 0, bits > 8 ? 8 : 0]
  const from = dataAt + layer * 32 * bits
  let count = 0
  for (let at = from; at < from + 32 * bits; at += 4) {
    // Where an entry is not air, one of its bits differs; they are gathered in its lowest.
    let other = view.getInt32(at, true) ^ air
    other |= other >>> by1
    other |= other >>> by2
    other |= other >>> by4
    other |= other >>> by8
    count += countBits(other & lowest)
  }
  return count
}

const readAny = (section: ScannedSection, entry: number): number => {
  const { bytes, dataAt, bits } = section
  if (bits === 0) return 0
  if (bits === 8) return bytes[dataAt + entry] ?? 0
  if (bits === 16) return (bytes[dataAt + entry * 2] ?? 0) | ((bytes[dataAt + entry * 2 + 1] ?? 0) << 8)
  const bit = entry * bits
  return ((bytes[dataAt + (bit >> 3)] ?? 0) >> (bit & 7)) & ((1 << bits) - 1)
}

/** Numbers for block ids, from 1, for as long as one listing lasts. */
export type BlockKinds = { numberOf(id: string): number; idOf(kind: number): string }

export const createBlockKinds = (): BlockKinds => {
  const ids: string[] = []
  const numbers = new Map<string, number>()
  return {
    numberOf: (id) => numbers.get(id) ?? numbers.set(id, ids.push(id)).size,
    idOf: (kind) => ids[kind - 1] ?? placeholder.id,
  }
}

/** A layer, 0…15, of a section, and the numbers that its blocks are to have. */
export type LayerSource = { readonly section: ScannedSection; readonly layer: number; readonly kinds: BlockKinds }

/**
 * Writes the blocks of a layer that are not air into `words`, by x, then z; answers how many. Each is `kind << 8 | x << 4 | z`, and
 * `words` has room for 256. An entry beyond its palette is an unknown block, as `countLayer` counts it.
 */
export const readLayer = ({ section, layer, kinds }: LayerSource, words: Uint32Array): number => {
  const { palette, airPlace } = section
  const shifted = palette.map((id) => kinds.numberOf(id) << 8)
  let count = 0
  for (let x = 0; x < chunkBlocks; x += 1)
    for (let z = 0; z < chunkBlocks; z += 1) {
      const place = readAny(section, (layer << 8) | (z << 4) | x)
      if (place === airPlace) continue
      words[count] = (shifted[place] ?? kinds.numberOf(placeholder.id) << 8) | (x << 4) | z
      count += 1
    }
  return count
}
