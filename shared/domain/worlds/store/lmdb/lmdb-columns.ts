import type { Database } from 'lmdb'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import { type ChunkPos, chunkKey } from '../../../../rules/positions.ts'
import type { ChunkRecord, SideWrite, WorldRef } from '../chunk-store.ts'
import { leaseLost } from '../chunk-store-rules.ts'
import { bitmapBytes, markColumn, type RegionPos, regionOf } from '../region-bitmap.ts'
import { type ChunksState, createRegionBitmaps, type Left, type RegionBitmaps } from './last-write.ts'
import type { Environment } from './lmdb-environment.ts'
import { commitFault } from './lmdb-faults.ts'
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
  writesKey,
} from './lmdb-keys.ts'

type Records = Database<Buffer, Buffer>
type Reads = Pick<Records, 'getBinary'>
type Writes = { put(key: Buffer, bytes: Uint8Array): void; remove(key: Buffer): void }

/** lmdb-js writes any array of bytes, but its types ask for a Buffer. */
const asBuffer = (bytes: Uint8Array): Buffer => bytes as Buffer

/** Writes in the current transaction, synchronously. */
const syncWrites = (records: Records): Writes => ({
  put: (key, bytes) => void records.putSync(key, asBuffer(bytes)),
  remove: (key) => void records.removeSync(key),
})

/** Collects writes for `run`, because lmdb-js commits the start of a batch whose building throws. */
const collectWrites = (records: Records): Writes & { run(): void } => {
  const collected: { readonly key: Buffer; readonly bytes: Uint8Array | undefined }[] = []
  return {
    put: (key, bytes) => void collected.push({ key, bytes }),
    remove: (key) => void collected.push({ key, bytes: undefined }),
    run: () => {
      for (const { key, bytes } of collected)
        if (bytes === undefined) void records.remove(key)
        else void records.put(key, asBuffer(bytes))
    },
  }
}

const readState = (records: Reads): ChunksState => {
  const bytes = records.getBinary(stateKey)
  const writes = records.getBinary(writesKey)
  return {
    fence: bytes === undefined ? 0 : Number(bytes.readBigUInt64BE(0)),
    count: bytes === undefined ? 0 : Number(bytes.readBigUInt64BE(8)),
    writes: writes === undefined ? 0 : readNumber(writes),
  }
}

/** The last step of every write. Does not write an unchanged state. */
const writeState = (writes: Writes, { fence, count, writes: before }: ChunksState, known: ChunksState): ChunksState => {
  if (fence !== known.fence || count !== known.count) {
    const bytes = Buffer.alloc(16)
    bytes.writeBigUInt64BE(BigInt(fence), 0)
    bytes.writeBigUInt64BE(BigInt(count), 8)
    writes.put(stateKey, bytes)
  }
  writes.put(writesKey, Buffer.from(Float64Array.of(before + 1).buffer))
  return { fence, count, writes: before + 1 }
}

/** The error of a batch that found something unusable and wrote nothing. The transaction afterwards finds it again and reports it. */
const badTransaction = -30_782

/** Eight bytes as the number that lmdb-js compares with a version. */
const readNumber = (bytes: Uint8Array): number => new Float64Array(Uint8Array.from(bytes.subarray(0, 8)).buffer)[0] ?? 0

/** The fence of a state record as such a number; undefined if it is NaN or 0, which other bytes have too. */
const comparedFence = (fence: number): number | undefined => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(fence))
  const compared = readNumber(bytes)
  return Number.isNaN(compared) || compared === 0 ? undefined : compared
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
const openBitmaps = (records: Reads, kept: RegionBitmaps) => {
  const touched = new Map<number, { readonly region: RegionPos; readonly bits: Buffer; isChanged: boolean }>()
  const find = (pos: ChunkPos) => {
    const region = regionOf(pos)
    const known = touched.get(chunkKey(region.rx, region.rz))
    if (known !== undefined) return known
    const bits = kept.get(region) ?? records.getBinary(regionKey(region)) ?? Buffer.alloc(bitmapBytes)
    kept.set(region, bits)
    const found = { region, bits, isChanged: false }
    touched.set(chunkKey(region.rx, region.rz), found)
    return found
  }
  return {
    /** Returns whether the bitmap changed. */
    set: (pos: ChunkPos, isThere: boolean): boolean => {
      const bitmap = find(pos)
      const isChange = markColumn(bitmap.bits, pos, isThere)
      bitmap.isChanged ||= isChange
      return isChange
    },
    flush: (writes: Writes): void => {
      for (const { region, bits, isChanged } of touched.values()) {
        if (!isChanged) continue
        if (bits.some((byte) => byte !== 0)) writes.put(regionKey(region), bits)
        else writes.remove(regionKey(region))
      }
    },
  }
}

/** Columns and the side records to write with them. */
export type ColumnsWrite = { readonly columns: readonly ChunkRecord[]; readonly beside: readonly SideWrite[] }

/** Returns the new state. */
const writeColumns = (
  { records, writes, known, fence }: { records: Reads; writes: Writes; known: Left; fence: number },
  { columns, beside }: ColumnsWrite,
): ChunksState => {
  const bitmaps = openBitmaps(records, known.bitmaps)
  let { count } = known.state
  for (const column of columns) {
    writes.put(columnKey(column), column.bytes)
    if (bitmaps.set(column, true)) count += 1
  }
  bitmaps.flush(writes)
  for (const { key, bytes } of beside)
    if (bytes === undefined) writes.remove(sideKey(key))
    else writes.put(sideKey(key), bytes)
  return writeState(writes, { ...known.state, fence, count }, known.state)
}

/** Writes columns in a transaction. Throws AppError before the first change. */
export const putColumns = (environment: Environment, world: WorldRef, change: ColumnsWrite, fence: number): void => {
  const known = { state: enter(environment, world, fence), bitmaps: createRegionBitmaps() }
  const { records } = environment
  writeColumns({ records, writes: syncWrites(records), known, fence }, change)
}

/** Reads the durable state of now, not of the start of this turn of the event loop. */
const freshReads = (records: Records): Reads => ({
  getBinary: (key) => {
    records.resetReadTxn()
    return records.getBinary(key)
  },
})

const readLeft = (reads: Reads): Left => ({ state: readState(reads), bitmaps: createRegionBitmaps() })

/**
 * Writes columns in LMDB's own thread, all or nothing. Requires that nothing else was written since our last write, and that the fence
 * has not changed. Otherwise it writes nothing and resolves with false; then the caller uses `putColumns`.
 */
export const putColumnsAtOnce = async (environment: Environment, change: ColumnsWrite, fence: number): Promise<boolean> => {
  const { records, last } = environment
  const reads = freshReads(records)
  const known = last.left ?? readLeft(reads)
  last.left = undefined
  const compared = comparedFence(fence)
  if (compared === undefined || environment.knownIdentity() === undefined || known.state.fence !== fence) return false
  const writes = collectWrites(records)
  let state: ChunksState
  try {
    state = writeColumns({ records: reads, writes, known, fence }, change)
  } catch {
    return false
  }
  let isNext: Promise<boolean> | undefined
  const isHeld = records.ifVersion(stateKey, compared, () => {
    isNext = records.ifVersion(writesKey, known.state.writes, writes.run)
  })
  const isDone = await Promise.all([isHeld, isNext]).then(
    (holds) => holds.every((one) => one === true),
    async (failure: unknown) => {
      const fault = await commitFault(failure)
      if (codeOf(fault) === badTransaction) return false
      throw fault
    },
  )
  if (isDone) last.left = { state, bitmaps: known.bitmaps }
  return isDone
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
    const bitmaps = openBitmaps(records, createRegionBitmaps())
    if (bitmaps.set(pos, false)) count -= 1
    bitmaps.flush(syncWrites(records))
  }
  writeState(syncWrites(records), { ...state, fence, count }, state)
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
