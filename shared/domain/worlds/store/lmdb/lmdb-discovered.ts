import type { Database } from 'lmdb'
import { type ChunkBox, type ChunkPos, chunkKey, isChunkPos } from '../../../../rules/positions.ts'
import { hasColumn, regionColumns, regionOf } from '../region-bitmap.ts'
import type { RegionColumn } from '../region-rows.ts'
import { readCoordinates, regionKey } from './lmdb-keys.ts'

type Records = Database<Buffer, Buffer>

/** The regions of one `rx` in a box; may be empty in a step that only advances the search. */
type RegionStep = RegionColumn & {
  /** The `rx` at which the search continues. */
  readonly nextRx: number
}

const regionCoordinate = (chunk: number): number => Math.floor(chunk / regionColumns)

/** One step of the search for regions from `fromRx`, in one snapshot; undefined at the end. Reads nothing outside the box. */
export const readRegionColumn = (records: Records, fromRx: number, box: ChunkBox): RegionStep | undefined => {
  const minRz = regionCoordinate(box.minCz)
  const maxRz = regionCoordinate(box.maxCz)
  const rangeTo = (rx: number, start: Buffer) => ({ start, end: regionKey({ rx, rz: maxRz }), inclusiveEnd: true })
  if (fromRx > regionCoordinate(box.maxCx)) return undefined
  const [key] = [...records.getKeys({ ...rangeTo(regionCoordinate(box.maxCx), regionKey({ rx: fromRx, rz: minRz })), limit: 1 })]
  if (key === undefined) return undefined
  const [rx, rz] = readCoordinates(key)
  const rzs: number[] = []
  const bitmaps: Buffer[] = []
  if (rz > maxRz) return { rx, rzs, bitmaps, nextRx: rx + 1 }
  if (rz < minRz) return { rx, rzs, bitmaps, nextRx: rx }
  for (const { key: at, value } of records.getRange(rangeTo(rx, key))) {
    rzs.push(readCoordinates(at)[1])
    bitmaps.push(value)
  }
  return { rx, rzs, bitmaps, nextRx: rx + 1 }
}

/** The `rx` at which a search in the box starts. */
export const firstRxOf = ({ minCx }: ChunkBox): number => regionCoordinate(minCx)

/** Whether each column is generated. Reads the bitmap of each region once. */
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
