import type { ChunkBox, ChunkPos } from '../../../shared/worlds/space/positions.ts'
import type { ChunkRecord, ChunkStore, WorldRef } from '../../../shared/worlds/store/chunk-store.ts'

/** A discovered column; `bytes` is undefined where the store has no record of it after all. */
export type FoundColumn = ChunkPos & { readonly bytes: Uint8Array | undefined }

const columnsPerRead = 64

type ColumnReading = {
  readonly chunks: Pick<ChunkStore, 'discovered' | 'getMany'>
  readonly world: WorldRef
  readonly box?: ChunkBox
  /** Ends the reading by throwing when it is aborted. */
  readonly signal: AbortSignal
}

/** The discovered columns of a world by cx, then cz, read a batch at a time: the memory it takes does not grow with the world. */
export async function* readColumns({ chunks, world, box, signal }: ColumnReading): AsyncGenerator<readonly FoundColumn[], void> {
  for await (const { cx, czs } of chunks.discovered(world, box)) {
    for (let from = 0; from < czs.length; from += columnsPerRead) {
      signal.throwIfAborted()
      const positions = Array.from(czs.subarray(from, from + columnsPerRead), (cz) => ({ cx, cz }))
      const records = await chunks.getMany(world, positions)
      yield positions.map((pos, at) => ({ ...pos, bytes: records[at] }))
    }
  }
}

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
