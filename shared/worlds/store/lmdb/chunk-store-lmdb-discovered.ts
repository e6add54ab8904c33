import type { Database } from 'lmdb'
import type { ChunkBox } from '../../space/positions.ts'
import { regionColumns } from '../region-bitmap.ts'
import type { RegionColumn } from '../region-rows.ts'
import { readPlace, regionKey } from './lmdb-keys.ts'

type Records = Database<Buffer, Buffer>

/** The regions of one `rx` that lie in a box; none where the search has only come further. */
export type RegionStep = RegionColumn & {
  /** Where the search goes on. */
  readonly nextRx: number
}

const regionOf = (chunk: number): number => Math.floor(chunk / regionColumns)

/** One step of the search for regions from `fromRx` on, in one snapshot; undefined at its end. Reads nothing outside of the box. */
export const readRegionColumn = (records: Records, fromRx: number, box: ChunkBox): RegionStep | undefined => {
  const minRz = regionOf(box.minCz)
  const maxRz = regionOf(box.maxCz)
  const rangeTo = (rx: number, start: Buffer) => ({ start, end: regionKey({ rx, rz: maxRz }), inclusiveEnd: true })
  if (fromRx > regionOf(box.maxCx)) return undefined
  const [key] = [...records.getKeys({ ...rangeTo(regionOf(box.maxCx), regionKey({ rx: fromRx, rz: minRz })), limit: 1 })]
  if (key === undefined) return undefined
  const [rx, rz] = readPlace(key)
  const rzs: number[] = []
  const bitmaps: Buffer[] = []
  if (rz > maxRz) return { rx, rzs, bitmaps, nextRx: rx + 1 }
  if (rz < minRz) return { rx, rzs, bitmaps, nextRx: rx }
  for (const { key: at, value } of records.getRange(rangeTo(rx, key))) {
    rzs.push(readPlace(at)[1])
    bitmaps.push(value)
  }
  return { rx, rzs, bitmaps, nextRx: rx + 1 }
}

/** The `rx` with which a search in the box begins. */
export const firstRxOf = ({ minCx }: ChunkBox): number => regionOf(minCx)
