import type { ChunkRecord } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { ChunkWriter } from '../writing/chunk-writer.ts'
import type { LoadedColumn } from './loaded-world.ts'

/** Saves new columns. One that cannot be saved is made again, the same, when it is wanted after having been unloaded. */
export type ColumnSaving = {
  add(column: LoadedColumn, bytes: Uint8Array): void
  /** Asks the writer for all that was added since the last time. */
  flush(): void
  /** Columns that are not durable yet. */
  pending(): number
}

export const createColumnSaving = (writer: Pick<ChunkWriter, 'writeRecords'>, log: Log): ColumnSaving => {
  let columns: LoadedColumn[] = []
  let records: ChunkRecord[] = []
  let pending = 0
  let isFailing = false

  const settle = (batch: readonly LoadedColumn[]): void => {
    pending -= batch.length
    for (const column of batch) column.writesPending -= 1
  }

  const saved = (batch: readonly LoadedColumn[]): void => {
    isFailing = false
    settle(batch)
  }

  const failed = (batch: readonly LoadedColumn[], error: unknown): void => {
    if (!isFailing) log.warn({ err: error, columns: batch.length }, 'New columns could not be saved.')
    isFailing = true
    settle(batch)
  }

  return {
    add: (column, bytes) => {
      column.writesPending += 1
      pending += 1
      columns.push(column)
      records.push({ cx: column.cx, cz: column.cz, bytes })
    },
    flush: () => {
      if (columns.length === 0) return
      const batch = columns
      const batchRecords = records
      columns = []
      records = []
      writer.writeRecords(batchRecords).then(
        () => saved(batch),
        (error: unknown) => failed(batch, error),
      )
    },
    pending: () => pending,
  }
}
