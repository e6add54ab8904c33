import type { ChunkRecord, ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'

/** Writes columns some at a time, each batch durable before the next. */
export type RecordBatches = {
  add(record: ChunkRecord): Promise<void>
  /** Writes what is left. */
  flush(): Promise<void>
}

const recordsMax = 256
const bytesMax = 4 * 1024 * 1024

/** A sync of the disk for each column would be slow, one for all would lose all: batches of 256 columns or 4 MiB. */
export const createRecordBatches = ({
  chunks,
  world,
  fence,
}: {
  readonly chunks: Pick<ChunkStore, 'putMany'>
  readonly world: WorldRef
  readonly fence: number
}): RecordBatches => {
  let batch: ChunkRecord[] = []
  let bytes = 0
  const flush = async () => {
    const records = batch
    batch = []
    bytes = 0
    if (records.length > 0) await chunks.putMany(world, records, fence)
  }
  return {
    add: async (record) => {
      batch.push(record)
      bytes += record.bytes.length
      if (batch.length >= recordsMax || bytes >= bytesMax) await flush()
    },
    flush,
  }
}
