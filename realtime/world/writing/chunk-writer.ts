import type { MadeChange } from '../../../shared/domain/history/block-change.ts'
import type { ChunkRecord } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { LoadedColumn } from '../columns/loaded-world.ts'

/**
 * Writes columns to the store, one transaction at a time: what is asked for while one is under way goes into the next. Each promise
 * resolves once its columns are durable and rejects with the store's AppError when they are not.
 */
export type ChunkWriter = {
  /** Encodes the columns as they are now; `changes` become history in the same transaction. */
  writeColumns(columns: Iterable<LoadedColumn>, changes?: readonly MadeChange[]): Promise<void>
  /** Records of new columns, in the order of asking with those above. */
  writeRecords(records: readonly ChunkRecord[]): Promise<void>
  /** Resolves when all that was asked for before is durable or could not be written; what is asked for meanwhile is not waited for. */
  settle(): Promise<void>
}

/** A ChunkWriter for columns that change while they wait. */
export type EditWriter = ChunkWriter & {
  /** Comes before a change of columns that `writeColumns` is told of in the same tick: what waits already is written without it. */
  prepareChange(columns: readonly LoadedColumn[]): void
  /** Columns that wait or are under way: changed ones, and records of new ones. */
  waiting(): { readonly columns: number; readonly records: number }
  /** Writes what waits, once, and nothing from there on. */
  close(): Promise<void>
}
