import { chunkKey } from '../../../../rules/positions.ts'
import type { RegionPos } from '../region-bitmap.ts'

/** The state of an environment: `writes` is how many there were. */
export type ChunksState = { readonly fence: number; readonly count: number; readonly writes: number }

/** What a write leaves of what the next one would have to read; it holds as long as there was no other write since. */
export type Left = { readonly state: ChunksState; readonly bitmaps: RegionBitmaps }

/** What the last write of this process left, where it is known. */
export type LastWrite = { left: Left | undefined }

/** The bitmaps of a few regions, by their places. */
export type RegionBitmaps = {
  get(region: RegionPos): Buffer | undefined
  set(region: RegionPos, bits: Buffer): void
}

const regionsMax = 64

export const createRegionBitmaps = (): RegionBitmaps => {
  const kept = new Map<number, Buffer>()
  return {
    get: ({ rx, rz }) => kept.get(chunkKey(rx, rz)),
    set: ({ rx, rz }, bits) => {
      if (kept.size >= regionsMax) kept.clear()
      kept.set(chunkKey(rx, rz), bits)
    },
  }
}
