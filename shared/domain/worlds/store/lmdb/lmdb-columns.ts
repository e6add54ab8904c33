import type { Database } from 'lmdb'
import { type ChunkPos, chunkKey } from '../../../../rules/positions.ts'
import type { ChunkRecord, SideWrite, WorldRef } from '../chunk-store.ts'
import { leaseLost } from '../chunk-store-rules.ts'
import { bitmapBytes, markColumn, type RegionPos, regionOf } from '../region-bitmap.ts'
import type { Environment } from './lmdb-environment.ts'
import { checkIdentity, findIdentity, writeIdentity } from './lmdb-identity.ts'
import {
  columnKey,
  readCoordinates,
  readSetAsideNumber,
  regionKey,
  setAsideKey,
  setAsideNumberMax,
  setAsideRange,
  sideKey,
  stateKey,
} from './lmdb-keys.ts'

type Records = Database<Buffer, Buffer>

/** lmdb-js writes any array of bytes, but its types ask for a Buffer. */
const asBuffer = (bytes: Uint8Array): Buffer => bytes as Buffer

/** The highest fence so far and the number of columns. */
type ChunksState = { readonly fence: number; readonly count: number }

const readState = (records: Records): ChunksState => {
  const bytes = records.getBinary(stateKey)
  if (bytes === undefined) return { fence: 0, count: 0 }
  return { fence: Number(bytes.readBigUInt64BE(0)), count: Number(bytes.readBigUInt64BE(8)) }
}

/** The last step of every write. Does not write an unchanged state. */
const writeState = (records: Records, { fence, count }: ChunksState, before: ChunksState): void => {
  if (fence === before.fence && count === before.count) return
  const bytes = Buffer.alloc(16)
  bytes.writeBigUInt64BE(BigInt(fence), 0)
  bytes.writeBigUInt64BE(BigInt(count), 8)
  records.putSync(stateKey, bytes)
}

/** The first step of every write. Throws if the lease is lost or the chunks belong to another world. */
const enter = ({ records, knownIdentity }: Environment, world: WorldRef, fence: number): ChunksState => {
  const identity = knownIdentity() ?? findIdentity(records, world)
  checkIdentity(world, identity)
  if (identity === undefined) writeIdentity(records, world)
  const state = readState(records)
  if (fence < state.fence) throw leaseLost()
  return state
}

/** The bitmaps that a write uses. Each is read and written once. */
const openBitmaps = (records: Records) => {
  const open = new Map<number, { readonly region: RegionPos; readonly bits: Buffer; isChanged: boolean }>()
  const find = (pos: ChunkPos) => {
    const region = regionOf(pos)
    const key = chunkKey(region.rx, region.rz)
    const known = open.get(key)
    if (known !== undefined) return known
    const bitmap = { region, bits: records.getBinary(regionKey(region)) ?? Buffer.alloc(bitmapBytes), isChanged: false }
    open.set(key, bitmap)
    return bitmap
  }
  return {
    /** Returns whether the bitmap changed. */
    set: (pos: ChunkPos, isThere: boolean): boolean => {
      const bitmap = find(pos)
      const isChange = markColumn(bitmap.bits, pos, isThere)
      bitmap.isChanged ||= isChange
      return isChange
    },
    flush: (): void => {
      for (const { region, bits, isChanged } of open.values()) {
        if (!isChanged) continue
        if (bits.some((byte) => byte !== 0)) records.putSync(regionKey(region), bits)
        else records.removeSync(regionKey(region))
      }
    },
  }
}

/** Columns and the side records to write with them. */
export type ColumnsWrite = { readonly columns: readonly ChunkRecord[]; readonly beside: readonly SideWrite[] }

/** Writes columns in a transaction. Throws AppError before the first change. */
export const putColumns = (environment: Environment, world: WorldRef, change: ColumnsWrite, fence: number): void => {
  const state = enter(environment, world, fence)
  const { records } = environment
  const bitmaps = openBitmaps(records)
  let { count } = state
  for (const column of change.columns) {
    records.putSync(columnKey(column), asBuffer(column.bytes))
    if (bitmaps.set(column, true)) count += 1
  }
  bitmaps.flush()
  for (const { key, bytes } of change.beside)
    if (bytes === undefined) records.removeSync(sideKey(key))
    else records.putSync(sideKey(key), asBuffer(bytes))
  writeState(records, { fence, count }, state)
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

/** Moves a column aside in a transaction, so that it is not read as terrain. Throws AppError before the first change. */
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
  writeState(records, { fence, count }, state)
}

/** The number of columns. */
export const countColumns = (records: Records): number => readState(records).count

/** The first record that was set aside after the key `after`, with its key. */
export const nextSetAside = (
  records: Records,
  after: Buffer | undefined,
): (ChunkRecord & { readonly key: Buffer }) | undefined => {
  const range = { start: after ?? setAsideRange.start, exclusiveStart: after !== undefined, end: setAsideRange.end, limit: 1 }
  const [found] = [...records.getRange(range)]
  if (found === undefined) return undefined
  const [cx, cz] = readCoordinates(found.key)
  return { cx, cz, bytes: found.value, key: found.key }
}
