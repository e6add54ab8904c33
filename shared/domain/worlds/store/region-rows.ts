import type { ChunkBox } from '../../../rules/positions.ts'
import type { DiscoveredRow } from './chunk-store.ts'
import { bitmapBytes, regionColumns } from './region-bitmap.ts'

/** The regions of one `rx`, by ascending rz. */
export type RegionColumn = {
  readonly rx: number
  readonly rzs: readonly number[]
  /** One bitmap for each region. */
  readonly bitmaps: readonly Buffer[]
}

const countBits = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The bits of region `rz` whose cz is in the box. */
const maskOf = (rz: number, { minCz, maxCz }: ChunkBox): number => {
  const first = Math.max(0, minCz - rz * regionColumns)
  const last = Math.min(regionColumns - 1, maxCz - rz * regionColumns)
  return (-1 << first) & (-1 >>> (regionColumns - 1 - last))
}

/** Writes the cz of each set bit, starting at index `at`, and returns the end index. `firstCz` is the cz of the lowest bit. */
const unpack = (czs: Int32Array, at: number, bits: number, firstCz: number): number => {
  let end = at
  for (let rest = bits; rest !== 0; rest &= rest - 1) {
    czs[end] = firstCz + 31 - Math.clz32(rest & -rest)
    end += 1
  }
  return end
}

/** The rows of these regions in the box, made one by one. */
export const rowsOf = function* ({ rx, rzs, bitmaps }: RegionColumn, box: ChunkBox): Generator<DiscoveredRow> {
  const words = new Int32Array(rzs.length)
  const masks = Int32Array.from(rzs, (rz) => maskOf(rz, box))
  const firstCx = Math.max(box.minCx, rx * regionColumns)
  const lastCx = Math.min(box.maxCx, rx * regionColumns + regionColumns - 1)
  for (let cx = firstCx; cx <= lastCx; cx += 1) {
    const offset = (cx & (regionColumns - 1)) * (bitmapBytes / regionColumns)
    let length = 0
    for (const [at, bitmap] of bitmaps.entries()) {
      const word = bitmap.readInt32LE(offset) & (masks[at] ?? 0)
      words[at] = word
      length += countBits(word)
    }
    if (length === 0) continue
    const czs = new Int32Array(length)
    let end = 0
    for (const [at, rz] of rzs.entries()) end = unpack(czs, end, words[at] ?? 0, rz * regionColumns)
    yield { cx, czs }
  }
}
