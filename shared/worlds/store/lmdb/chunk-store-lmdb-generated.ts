import type { Database } from 'lmdb'
import { type ChunkPos, chunkKey, isChunkPos } from '../../space/positions.ts'
import { hasColumn, regionOf } from '../region-bitmap.ts'
import { regionKey } from './lmdb-keys.ts'

/** Whether each of these columns is generated, by the bitmaps of their regions, each of which is read once. */
export const findGenerated = (records: Database<Buffer, Buffer>, positions: readonly ChunkPos[]): readonly boolean[] => {
  const bitmaps = new Map<number, Buffer | undefined>()
  const bitmapOf = (pos: ChunkPos): Buffer | undefined => {
    const region = regionOf(pos)
    const key = chunkKey(region.rx, region.rz)
    if (!bitmaps.has(key)) bitmaps.set(key, records.getBinary(regionKey(region)))
    return bitmaps.get(key)
  }
  return positions.map((pos) => {
    const bits = isChunkPos(pos) ? bitmapOf(pos) : undefined
    return bits !== undefined && hasColumn(bits, pos)
  })
}
