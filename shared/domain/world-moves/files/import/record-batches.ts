import type { ChunkRecord, ChunkStore, WorldRef } from '../../../worlds/store/chunk-store.ts'

/** Writes columns in batches, each durable before the next. */
export type RecordBatches = {
  add(record: ChunkRecord): Promise<void>
  /** Writes the remaining columns. */
  flush(): Promise<void>
}

const recordsMax = 256
const bytesMax = 4 * 1024 * 1024

/** One sync for each column would be slow, one for all could lose all: a batch has 256 columns or 4 MiB. */
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
