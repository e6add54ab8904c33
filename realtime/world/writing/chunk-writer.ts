import type { MadeChange } from '../../../shared/domain/history/block-change.ts'
import type { ChunkRecord } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { LoadedColumn } from '../columns/loaded-world.ts'

/**
 * Writes columns to the store, one transaction at a time. Columns that arrive during a transaction go into the next one. Each
 * promise resolves when its columns are durable, or rejects with the AppError of the store.
 */
export type ChunkWriter = {
  /** Encodes the columns as of now. `changes` are added to the history in the same transaction. */
  writeColumns(columns: Iterable<LoadedColumn>, changes?: readonly MadeChange[]): Promise<void>
  /** Writes records of new columns, in order with the calls above. */
  writeRecords(records: readonly ChunkRecord[]): Promise<void>
  /** Resolves when all earlier requests are durable or have failed. Later requests are not included. */
  settle(): Promise<void>
}

/** A ChunkWriter for columns that change while they wait. */
export type EditWriter = ChunkWriter & {
  /**
   * Call it before columns change that `writeColumns` gets in the same tick. Columns that already wait are written without the
   * change.
   */
  prepareChange(columns: readonly LoadedColumn[]): void
  /** The number of columns that wait or are being written: changed ones, and records of new ones. */
  waiting(): { readonly columns: number; readonly records: number }
  /** Writes everything that waits, once. Nothing is written after that. */
  close(): Promise<void>
}
