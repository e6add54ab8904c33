import type { Database } from 'lmdb'
import { type ChunkPos, chunkKey } from '../../space/positions.ts'
import type { ChunkRecord, SideWrite, WorldRef } from '../chunk-store.ts'
import { leaseLost } from '../chunk-store-rules.ts'
import { bitmapBytes, markColumn, type RegionPos, regionOf } from '../region-bitmap.ts'
import type { Environment } from './lmdb-environment.ts'
import { checkIdentity, findIdentity, writeIdentity } from './lmdb-identity.ts'
import {
  columnKey,
  readPlace,
  readSetAsideNumber,
  regionKey,
  setAsideKey,
  setAsideNumberMax,
  setAsideRange,
  sideKey,
  stateKey,
} from './lmdb-keys.ts'

type Records = Database<Buffer, Buffer>
type State = { readonly fence: number; readonly count: number }

const readState = (records: Records): State => {
  const bytes = records.getBinary(stateKey)
  if (bytes === undefined) return { fence: 0, count: 0 }
  return { fence: Number(bytes.readBigUInt64BE(0)), count: Number(bytes.readBigUInt64BE(8)) }
}

const writeState = (records: Records, { fence, count }: State): void => {
  const bytes = Buffer.alloc(16)
  bytes.writeBigUInt64BE(BigInt(fence), 0)
  bytes.writeBigUInt64BE(BigInt(count), 8)
  records.putSync(stateKey, bytes)
}

/** Begins every write: whoever has lost the lease, or means another world, gets no further. */
const enter = ({ records, knownIdentity }: Environment, world: WorldRef, fence: number): State => {
  const identity = knownIdentity() ?? findIdentity(records, world)
  checkIdentity(world, identity)
  if (identity === undefined) writeIdentity(records, world)
  const state = readState(records)
  if (fence < state.fence) throw leaseLost()
  return state
}

/** The bitmaps that one write touches, each read and written once. */
const openBitmaps = (records: Records) => {
  const touched = new Map<number, { readonly region: RegionPos; readonly bits: Buffer; isChanged: boolean }>()
  const find = (pos: ChunkPos) => {
    const region = regionOf(pos)
    const known = touched.get(chunkKey(region.rx, region.rz))
    if (known !== undefined) return known
    const bits = records.getBinary(regionKey(region)) ?? Buffer.alloc(bitmapBytes)
    const found = { region, bits, isChanged: false }
    touched.set(chunkKey(region.rx, region.rz), found)
    return found
  }
  return {
    /** Whether that changed it. */
    set: (pos: ChunkPos, isThere: boolean): boolean => {
      const bitmap = find(pos)
      const isChange = markColumn(bitmap.bits, pos, isThere)
      bitmap.isChanged ||= isChange
      return isChange
    },
    flush: (): void => {
      for (const { region, bits, isChanged } of touched.values()) {
        if (!isChanged) continue
        if (bits.some((byte) => byte !== 0)) records.putSync(regionKey(region), bits)
        else records.removeSync(regionKey(region))
      }
    },
  }
}

/** Columns, and what is written beside them. */
export type ColumnsWrite = { readonly columns: readonly ChunkRecord[]; readonly beside: readonly SideWrite[] }

/** Puts columns, in a transaction; throws AppError before the first change. */
export const putColumns = (environment: Environment, world: WorldRef, { columns, beside }: ColumnsWrite, fence: number): void => {
  const state = enter(environment, world, fence)
  const { records } = environment
  const bitmaps = openBitmaps(records)
  let { count } = state
  for (const column of columns) {
    const { bytes } = column
    records.putSync(columnKey(column), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    if (bitmaps.set(column, true)) count += 1
  }
  bitmaps.flush()
  for (const { key, bytes } of beside)
    if (bytes === undefined) records.removeSync(sideKey(key))
    else records.putSync(sideKey(key), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  if (fence !== state.fence || count !== state.count) writeState(records, { fence, count })
}

const nextSetAsideNumber = (records: Records, pos: ChunkPos): number => {
  const range = {
    start: setAsideKey(pos, setAsideNumberMax),
    end: setAsideKey(pos, 0),
    inclusiveEnd: true,
    reverse: true,
    limit: 1,
  }
  const [last] = [...records.getKeys(range)]
  return last === undefined ? 0 : readSetAsideNumber(last) + 1
}

/** Moves a column to where nobody takes it for terrain, in a transaction; throws AppError before the first change. */
export const setColumnAside = (environment: Environment, world: WorldRef, pos: ChunkPos, fence: number): void => {
  const state = enter(environment, world, fence)
  const { records } = environment
  let { count } = state
  const bytes = records.getBinary(columnKey(pos))
  if (bytes !== undefined) {
    records.putSync(setAsideKey(pos, nextSetAsideNumber(records, pos)), bytes)
    records.removeSync(columnKey(pos))
    const bitmaps = openBitmaps(records)
    if (bitmaps.set(pos, false)) count -= 1
    bitmaps.flush()
  }
  if (fence !== state.fence || count !== state.count) writeState(records, { fence, count })
}

/** How many columns there are. */
export const countColumns = (records: Records): number => readState(records).count

/** The first record that was set aside after the one with key `after`, with its key. */
export const nextSetAside = (
  records: Records,
  after: Buffer | undefined,
): (ChunkRecord & { readonly key: Buffer }) | undefined => {
  const range = { start: after ?? setAsideRange.start, exclusiveStart: after !== undefined, end: setAsideRange.end, limit: 1 }
  const [found] = [...records.getRange(range)]
  if (found === undefined) return undefined
  const [cx, cz] = readPlace(found.key)
  return { cx, cz, bytes: found.value, key: found.key }
}
