import { readColumns } from '../../../shared/domain/worlds/export/read-columns.ts'
import type { ChunkRecord, ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { countOf } from '../../world/words.ts'
import { type Copying, createDigest, type Part } from './part.ts'

type Batch = { readonly records: ChunkRecord[]; bytes: number; columns: number }

const recordsMax = 256
const bytesMax = 4 * 1024 * 1024

const newBatch = (): Batch => ({ records: [], bytes: 0, columns: 0 })

/** The records of `records` that the target lacks or has with other content. */
const findChanged = async (
  chunks: Pick<ChunkStore, 'getMany'>,
  world: WorldRef,
  records: readonly ChunkRecord[],
): Promise<readonly ChunkRecord[]> => {
  const there = await chunks.getMany(world, records)
  return records.filter(({ bytes }, at) => Buffer.compare(bytes, there[at] ?? Buffer.alloc(0)) !== 0)
}

const copyColumns = async (world: WorldRef, copying: Copying): Promise<void> => {
  const { source, target, isResumed, onKept, leaseOf, complain, signal } = copying
  const { fence } = leaseOf(world.name)
  let missing = 0
  let batch = newBatch()
  let writing: Promise<void> = Promise.resolve()

  const write = async ({ records, columns }: Batch): Promise<void> => {
    const changed = isResumed ? await findChanged(target.chunks, world, records) : records
    if (changed.length > 0) await target.chunks.putMany(world, changed, fence)
    onKept(columns)
  }
  /** The next batch is read while one is written. */
  const flush = async () => {
    await writing
    writing = write(batch)
    // A failure is handled with the next batch or at the end; until then it has no listener.
    writing.catch(() => undefined)
    batch = newBatch()
  }

  try {
    for await (const columns of readColumns({ chunks: source.chunks, world, signal }))
      for (const { cx, cz, bytes } of columns) {
        batch.columns += 1
        if (bytes === undefined) missing += 1
        else batch.records.push({ cx, cz, bytes })
        batch.bytes += bytes?.length ?? 0
        if (batch.records.length >= recordsMax || batch.bytes >= bytesMax) await flush()
      }
    await flush()
  } finally {
    // Keeps the records that were read before a stop.
    await writing
  }
  if (missing > 0)
    complain(
      `${world.name}: ${countOf(missing)} columns are listed in the source but have no record. They will be generated again.\n`,
    )
}

/** The generated columns of a world, byte for byte, by cx, then cz. The bitmaps follow from them. */
export const columnsPart = (world: WorldRef): Part => ({
  name: `columns of ${world.name}`,
  count: async ({ chunks }) => (await chunks.stats(world)).chunkCount,
  copy: (copying) => copyColumns(world, copying),
  digest: async ({ chunks }, { onSeen, signal }) => {
    const digest = createDigest()
    for await (const columns of readColumns({ chunks, world, signal })) {
      for (const { cx, cz, bytes } of columns) if (bytes !== undefined) digest.add(`${cx},${cz}`, bytes)
      onSeen(columns.length)
    }
    return digest.end()
  },
})
