import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MadeChange } from '../../../shared/domain/history/block-change.ts'
import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import type { ChunkRecord } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createDeferred, type Deferred } from '../../../shared/kernel/deferred.ts'
import { type ChunkPos, chunkKey } from '../../../shared/rules/positions.ts'
import type { LoadedColumn } from '../columns/loaded-world.ts'

type Entry = { readonly column: LoadedColumn; bytes: Uint8Array | undefined }

/** Columns for one transaction. */
export type WriteBatch = { readonly entries: Map<number, Entry>; readonly changes: MadeChange[]; readonly done: Deferred }

/**
 * Changed columns that wait for their transaction. A batch has each column once, and columns that changed together are in one
 * batch.
 */
export type WriteBatches = {
  /**
   * Call it before each change of these columns that `add` will get. A batch that is full or being encoded copies their bytes, so
   * that it cannot contain a part of the change.
   */
  prepare(columns: readonly LoadedColumn[]): void
  /** Settles with the batch of the columns. `changes` are their changes. */
  add(columns: Iterable<LoadedColumn>, changes?: readonly MadeChange[]): Promise<void>
  /** Settles when the column has been written or has failed. Undefined if it is in no batch. */
  find(pos: ChunkPos): Promise<void> | undefined
  /** The oldest batch. Nothing is added to it afterwards. */
  take(): WriteBatch | undefined
  /** Encodes the columns of a batch as of now, some at a time, so that the event loop can run in between. */
  encode(batch: WriteBatch): Promise<readonly ChunkRecord[]>
  /** Resolves when all current batches are settled. */
  settled(): Promise<unknown>
  /** The number of columns that are not settled. */
  size(): number
  /** The columns of the batch are durable, or failed with `error`. */
  settle(batch: WriteBatch, error?: unknown): void
}

/** The number of columns encoded in one turn of the event loop, at about 100 µs each. */
const columnsPerTurn = 16

/** Starts without columns. A batch with more than `columnsMax` columns gets no more. */
export const createWriteBatches = (registry: BlockRegistry, columnsMax: number): WriteBatches => {
  const underWay = new Set<WriteBatch>()
  let waiting: WriteBatch[] = []
  let open: WriteBatch | undefined
  let beingEncoded: WriteBatch | undefined

  const encodeEntry = (entry: Entry): Uint8Array => {
    entry.bytes ??= encodeChunk(entry.column.chunk, registry)
    return entry.bytes
  }

  const begin = (): WriteBatch => {
    const batch: WriteBatch = { entries: new Map(), changes: [], done: createDeferred() }
    waiting.push(batch)
    open = batch
    return batch
  }

  return {
    prepare: (columns) => {
      const keys = columns.map(({ cx, cz }) => chunkKey(cx, cz))
      const more = keys.filter((key) => open?.entries.has(key) !== true).length
      if (open !== undefined && open.entries.size + more > columnsMax) open = undefined
      for (const batch of [beingEncoded, ...waiting])
        for (const key of keys) {
          const entry = batch === open ? undefined : batch?.entries.get(key)
          if (entry !== undefined) encodeEntry(entry)
        }
    },
    add: (columns, changes = []) => {
      const batch = open ?? begin()
      for (const change of changes) batch.changes.push(change)
      for (const column of columns) {
        const key = chunkKey(column.cx, column.cz)
        if (batch.entries.has(key)) continue
        batch.entries.set(key, { column, bytes: undefined })
        column.writesPending += 1
      }
      return batch.done.promise
    },
    find: ({ cx, cz }) => {
      const key = chunkKey(cx, cz)
      return [...waiting, ...underWay].find(({ entries }) => entries.has(key))?.done.promise
    },
    take: () => {
      const [first, ...rest] = waiting
      waiting = rest
      if (first === undefined) return undefined
      if (first === open) open = undefined
      underWay.add(first)
      return first
    },
    encode: async (batch) => {
      const records: ChunkRecord[] = []
      beingEncoded = batch
      for (const entry of batch.entries.values()) {
        if (records.length % columnsPerTurn === columnsPerTurn - 1) await nextTurn()
        records.push({ cx: entry.column.cx, cz: entry.column.cz, bytes: encodeEntry(entry) })
      }
      beingEncoded = undefined
      return records
    },
    settled: () => Promise.allSettled(Array.from([...waiting, ...underWay], ({ done }) => done.promise)),
    size: () => [...waiting, ...underWay].reduce((columns, { entries }) => columns + entries.size, 0),
    settle: (batch, error) => {
      const { entries, done } = batch
      underWay.delete(batch)
      for (const { column } of entries.values()) column.writesPending -= 1
      if (error === undefined) done.resolve()
      else done.reject(error)
    },
  }
}
