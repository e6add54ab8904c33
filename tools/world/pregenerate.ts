import {
  columnsOf,
  distanceFromMiddle,
  findMissing,
  squareRegions,
} from '../../shared/domain/worlds/generation/square-regions.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import type { ChunkRecord } from '../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import type { ChunkPos } from '../../shared/rules/positions.ts'
import type { ColumnSource } from './open-world-task.ts'
import type { Progress } from './progress.ts'
import type { WorldContext } from './world-command.ts'

type Pregeneration = {
  readonly world: WorldRecord
  readonly radius: number
  readonly lease: WorldLease
  readonly pool: ColumnSource
  readonly progress: Progress
  /** Aborts at Ctrl-C and at the loss of the lease. */
  readonly signal: AbortSignal
  readonly onWritten: (columns: number) => void
}

/** A killed run loses at most two batches: the one being written and the one being generated. Enough to keep every core busy. */
const columnsPerBatch = 128

async function* missingBatches(context: WorldContext, { world, radius, progress }: Pregeneration) {
  for (const box of squareRegions(radius)) {
    const missing = await findMissing(context.task.chunks, world, box)
    progress.advance(columnsOf(box) - missing.length)
    for (let from = 0; from < missing.length; from += columnsPerBatch) yield missing.slice(from, from + columnsPerBatch)
  }
}

const generateBatch = (positions: readonly ChunkPos[], { pool, signal }: Pregeneration): Promise<ChunkRecord[]> =>
  Promise.all(
    positions.map(async (pos) => ({
      ...pos,
      bytes: await pool.generate(pos, { distance: () => distanceFromMiddle(pos), signal }),
    })),
  )

/** Generates the missing columns of the square in durable batches. The next batch is generated while one is written. */
export const pregenerate = async (context: WorldContext, work: Pregeneration): Promise<void> => {
  const { world, lease, progress, signal, onWritten } = work
  let writing: Promise<void> = Promise.resolve()
  const write = async (records: readonly ChunkRecord[]) => {
    await context.task.chunks.putMany(world, records, lease.fence)
    onWritten(records.length)
    progress.advance(records.length)
  }
  try {
    for await (const positions of missingBatches(context, work)) {
      signal.throwIfAborted()
      const [records] = await Promise.all([generateBatch(positions, work), writing])
      writing = write(records)
      // A failure is handled with the next batch or at the end; until then it has no listener.
      writing.catch(() => undefined)
    }
  } finally {
    // Keeps the columns that were generated before a stop.
    await writing
  }
}
