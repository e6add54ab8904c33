import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MadeChange } from '../../../shared/domain/history/block-change.ts'
import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/chunk-codec.ts'
import type { ChunkRecord } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { type ChunkPos, chunkKey } from '../../../shared/rules/positions.ts'
import { createDeferred, type Deferred } from '../columns/deferred.ts'
import type { LoadedColumn } from '../columns/loaded-world.ts'

type Entry = { readonly column: LoadedColumn; bytes: Uint8Array | undefined }

/** Columns for one transaction. */
export type WriteBatch = { readonly entries: Map<number, Entry>; readonly changes: MadeChange[]; readonly done: Deferred }

/** Changed columns that wait for their transaction: each batch holds a column once, and what was changed at once is in one batch. */
export type WriteBatches = {
  /**
   * Must come before each change of these columns that `add` tells of. A batch that is full or being encoded takes their bytes as they are, so that no later change slips into it in part.
   */
  prepare(columns: readonly LoadedColumn[]): void
  /** Settles with the batch that they are in; `changes` are what made them so. */
  add(columns: Iterable<LoadedColumn>, changes?: readonly MadeChange[]): Promise<void>
  /** When the column will have been written, or not; undefined when it waits in no batch and none is under way with it. */
  find(pos: ChunkPos): Promise<void> | undefined
  /** The batch that has waited longest; nothing is added to it any more. */
  take(): WriteBatch | undefined
  /** The records of a batch, of the columns as they are at this moment; some are encoded at a time, so that the loop goes on between. */
  encode(batch: WriteBatch): Promise<readonly ChunkRecord[]>
  /** Resolves when every batch that there is at this moment is settled. */
  settled(): Promise<unknown>
  /** Columns that are not settled. */
  size(): number
  /** Its columns are durable, or are not. */
  settle(batch: WriteBatch, error?: unknown): void
}

/** Columns encoded in one turn of the event loop, at some 100 µs each. */
const columnsPerTurn = 16

/** No columns yet. A batch of more than `columnsMax` gets no more columns. */
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
