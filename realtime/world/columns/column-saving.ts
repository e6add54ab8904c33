import type { ChunkRecord } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { ChunkWriter } from '../writing/chunk-writer.ts'
import type { LoadedColumn } from './loaded-world.ts'

/** Saves new columns. A column that was not saved and is needed again after unloading is generated again with the same result. */
export type ColumnSaving = {
  add(column: LoadedColumn, bytes: Uint8Array): void
  /** Sends the columns that were added since the last call to the writer. */
  flush(): void
  /** The number of columns that are not durable yet. */
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
    if (!isFailing) log.warn({ err: error, columns: batch.length }, 'new columns could not be saved')
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
