import { chunkKey } from '../../../../rules/positions.ts'
import type { RegionPos } from '../region-bitmap.ts'

/** The state of an environment. `writes` is the number of writes so far. */
export type ChunksState = { readonly fence: number; readonly count: number; readonly writes: number }

/** Data that the next write would otherwise have to read. It is valid until another process writes. */
export type Left = { readonly state: ChunksState; readonly bitmaps: RegionBitmaps }

/** The data left by the last write of this process, if known. */
export type LastWrite = { left: Left | undefined }

/** The bitmaps of a few regions. */
export type RegionBitmaps = {
  get(region: RegionPos): Buffer | undefined
  set(region: RegionPos, bits: Buffer): void
}

const regionsMax = 64

export const createRegionBitmaps = (): RegionBitmaps => {
  const bitmaps = new Map<number, Buffer>()
  return {
    get: ({ rx, rz }) => bitmaps.get(chunkKey(rx, rz)),
    set: ({ rx, rz }, bits) => {
      if (bitmaps.size >= regionsMax) bitmaps.clear()
      bitmaps.set(chunkKey(rx, rz), bits)
    },
  }
}
