import { setImmediate } from 'node:timers/promises'
import type { Database } from 'lmdb'
import { expectRoomForWrite, keptFree } from '../../../../platform/storage/lmdb/lmdb-room.ts'
import { type ChunkBox, type ChunkPos, chunkKey, isChunkPos } from '../../../../rules/positions.ts'
import type { ChunkRecord, ChunkStore, DiscoveredRow, WorldRef } from '../chunk-store.ts'
import { checkChunkPos, checkFence, checkPutMany, clipBox } from '../chunk-store-rules.ts'
import { hasColumn, regionColumns, regionOf } from '../region-bitmap.ts'
import { type RegionColumn, rowsOf } from '../region-rows.ts'
import { countColumns, nextSetAside, putColumns, setColumnAside } from './lmdb-columns.ts'
import type { Chunks, Environment } from './lmdb-environment.ts'
import { createEnvironments } from './lmdb-environments.ts'
import { describeFailure, describeWriteFailure } from './lmdb-faults.ts'
import { columnKey, readCoordinates, readSideKey, regionKey, sideKey, sideRange } from './lmdb-keys.ts'

type Records = Database<Buffer, Buffer>

/** The regions of one `rx` in a box; may be empty in a step that only advances the search. */
type RegionStep = RegionColumn & {
  /** The `rx` at which the search continues. */
  readonly nextRx: number
}

const regionCoordinate = (chunk: number): number => Math.floor(chunk / regionColumns)

/** One step of the search for regions from `fromRx`, in one snapshot; undefined at the end. Reads nothing outside the box. */
const readRegionColumn = (records: Records, fromRx: number, box: ChunkBox): RegionStep | undefined => {
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
const firstRxOf = ({ minCx }: ChunkBox): number => regionCoordinate(minCx)

/** Whether each column is generated. Reads the bitmap of each region once. */
const findGenerated = (records: Database<Buffer, Buffer>, positions: readonly ChunkPos[]): readonly boolean[] => {
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

export type LmdbChunkStoreOptions = {
  /** The folder of the worlds. Each world has an LMDB environment in `<path>/<name>`, created by the first write. */
  readonly path: string
  /** The maximum number of open environments without pending writes; 16 when absent. */
  readonly openMax?: number
  /** Never writes; false when absent. */
  readonly isReadOnly?: boolean
}

/** The number of region columns that a listing reads before other work gets its turn. */
const stepsPerTurn = 16

const find = (records: Chunks, pos: ChunkPos): Uint8Array | undefined =>
  isChunkPos(pos) ? records.getBinary(columnKey(pos)) : undefined

/**
 * A ChunkStore in LMDB (docs/decisions/0013-chunk-store.md). Several processes may have it open, each with one store on a path.
 * Concurrent writes share a transaction and its sync. `sizeBytes` is the size of the data file. `discovered` reads all columns of 32
 * `cx` in one snapshot, and the next 32 possibly in a later one.
 */
export const createLmdbChunkStore = ({ path, openMax = 16, isReadOnly = false }: LmdbChunkStoreOptions): ChunkStore => {
  const environments = createEnvironments({ path, openMax, isReadOnly })

  /**
   * Starts a new snapshot, because another process may have committed. Otherwise a snapshot lasts until the end of the event loop turn.
   */
  const read = <T>(world: WorldRef, run: (records: Chunks, environment: Environment) => T): Promise<T | undefined> =>
    environments.read(world, (environment) => {
      if (environment === undefined) return undefined
      try {
        environment.records.resetReadTxn()
        environment.checkWorld(world)
        return run(environment.records, environment)
      } catch (cause) {
        throw describeFailure(world, cause)
      }
    })

  const write = (world: WorldRef, bytes: number, change: (environment: Environment) => void): Promise<void> =>
    environments.write(world, async (environment) => {
      try {
        environment.checkWorld(world)
        expectRoomForWrite(environment.folder, bytes, keptFree.forChunks)
        await environment.records.childTransaction(() => change(environment))
      } catch (failure) {
        throw await describeWriteFailure(world, failure, {
          folder: environment.folder,
          fileBytes: environment.fileBytes(),
          bytes,
        })
      }
    })

  const listRows = async function* (world: WorldRef, box: ChunkBox): AsyncGenerator<DiscoveredRow> {
    let fromRx = firstRxOf(box)
    for (let step = 1; box.minCx <= box.maxCx && box.minCz <= box.maxCz; step += 1) {
      const regions = await read(world, (records) => readRegionColumn(records, fromRx, box))
      if (regions === undefined) return
      yield* rowsOf(regions, box)
      fromRx = regions.nextRx
      if (step % stepsPerTurn === 0) await setImmediate()
    }
    await read(world, () => undefined)
  }

  const listAside = async function* (world: WorldRef): AsyncGenerator<ChunkRecord> {
    let after: Buffer | undefined
    for (;;) {
      const record = await read(world, (records) => nextSetAside(records, after))
      if (record === undefined) return
      after = record.key
      yield { cx: record.cx, cz: record.cz, bytes: record.bytes }
    }
  }

  return {
    get: (world, pos) => read(world, (records) => find(records, pos)),
    getMany: async (world, positions) =>
      (await read(world, (records) => positions.map((pos) => find(records, pos)))) ?? positions.map(() => undefined),
    putMany: async (world, columns, fence, beside = []) => {
      checkPutMany(columns, fence)
      const bytes = [...columns, ...beside].reduce((sum, record) => sum + (record.bytes?.length ?? 0), 0)
      await write(world, bytes, (environment) => putColumns(environment, world, { columns, beside }, fence))
    },
    getSide: async (world, keys) =>
      (await read(world, (records) => keys.map((key) => records.getBinary(sideKey(key))))) ?? keys.map(() => undefined),
    listSide: async (world, prefix, page) =>
      (await read(world, (records) =>
        Array.from(records.getRange(sideRange(prefix, page)), ({ key, value }) => ({ key: readSideKey(key), bytes: value })),
      )) ?? [],
    has: async (world, pos) => (await read(world, (records) => isChunkPos(pos) && records.doesExist(columnKey(pos)))) ?? false,
    hasMany: async (world, positions) =>
      (await read(world, (records) => findGenerated(records, positions))) ?? positions.map(() => false),
    discovered: (world, box) => listRows(world, clipBox(box)),
    stats: async (world) =>
      (await read(world, (records, { fileBytes }) => ({ chunkCount: countColumns(records), sizeBytes: fileBytes() }))) ?? {
        chunkCount: 0,
        sizeBytes: 0,
      },
    setAside: async (world, pos, fence) => {
      checkFence(fence)
      checkChunkPos(pos)
      await write(world, 0, (environment) => setColumnAside(environment, world, pos, fence))
    },
    listSetAside: (world) => listAside(world),
    close: () => environments.close(),
  }
}
