import { setImmediate } from 'node:timers/promises'
import { expectRoomForWrite, keptFree } from '../../../../platform/storage/lmdb/lmdb-room.ts'
import { type ChunkBox, type ChunkPos, isChunkPos } from '../../../../rules/positions.ts'
import type { ChunkRecord, ChunkStore, DiscoveredRow, WorldRef } from '../chunk-store.ts'
import { checkChunkPos, checkFence, checkPutMany, clipBox } from '../chunk-store-rules.ts'
import { rowsOf } from '../region-rows.ts'
import { countColumns, nextSetAside, putColumns, putColumnsAtOnce, setColumnAside } from './lmdb-columns.ts'
import { findGenerated, firstRxOf, readRegionColumn } from './lmdb-discovered.ts'
import type { Chunks, Environment } from './lmdb-environment.ts'
import { createEnvironments } from './lmdb-environments.ts'
import { describeFailure, describeWriteFailure } from './lmdb-faults.ts'
import { columnKey, readSideKey, sideKey, sideRange } from './lmdb-keys.ts'

export type LmdbChunkStoreOptions = {
  /** The folder of the worlds: an LMDB environment for each in `<path>/<name>`, made when first written to. */
  readonly path: string
  /** Environments that may stay open while nobody writes to them; 16 when absent. */
  readonly openMax?: number
  /** Reads what is there and never writes to it; false when absent. */
  readonly isReadOnly?: boolean
}

/** How many region columns a listing reads before others have their turn. */
const stepsPerTurn = 16

const find = (records: Chunks, pos: ChunkPos): Uint8Array | undefined =>
  isChunkPos(pos) ? records.getBinary(columnKey(pos)) : undefined

/**
 * A ChunkStore in LMDB (docs/decisions/0013-chunk-store.md), which several processes may have open at once, each with one store on a
 * path. Writes that are asked for at once share a transaction and its sync. `sizeBytes` is the size of the data file. `discovered`
 * reads all columns of 32 `cx` in one snapshot, the next 32 perhaps in a later one.
 */
export const createLmdbChunkStore = ({ path, openMax = 16, isReadOnly = false }: LmdbChunkStoreOptions): ChunkStore => {
  const environments = createEnvironments({ path, openMax, isReadOnly })

  /** Another process may have committed since this one's snapshot, which otherwise lives until the event loop turns. */
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

  /** `atOnce` resolves with whether it has done what `change` does, in a transaction, otherwise. */
  const write = (
    world: WorldRef,
    bytes: number,
    change: (environment: Environment) => void,
    atOnce?: (environment: Environment) => Promise<boolean>,
  ): Promise<void> =>
    environments.write(world, async (environment) => {
      try {
        environment.checkWorld(world)
        expectRoomForWrite(environment.folder, bytes, keptFree.forChunks)
        // What stands on the write before cannot begin while that one is under way.
        const isAlone = environments.writesTo(world) === 1
        if (isAlone && (await atOnce?.(environment))) return
        environment.last.left = undefined
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
      const found = await read(world, (records) => nextSetAside(records, after))
      if (found === undefined) return
      after = found.key
      yield { cx: found.cx, cz: found.cz, bytes: found.bytes }
    }
  }

  return {
    get: (world, pos) => read(world, (records) => find(records, pos)),
    getMany: async (world, positions) =>
      (await read(world, (records) => positions.map((pos) => find(records, pos)))) ?? positions.map(() => undefined),
    putMany: async (world, columns, fence, beside = []) => {
      checkPutMany(columns, fence)
      const bytes = [...columns, ...beside].reduce((sum, record) => sum + (record.bytes?.length ?? 0), 0)
      await write(
        world,
        bytes,
        (environment) => putColumns(environment, world, { columns, beside }, fence),
        (environment) => putColumnsAtOnce(environment, { columns, beside }, fence),
      )
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
