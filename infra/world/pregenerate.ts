import type { WorldLease } from '../../shared/worlds/leases/world-lease.ts'
import type { ChunkBox, ChunkPos } from '../../shared/worlds/space/positions.ts'
import type { ChunkRecord } from '../../shared/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../shared/worlds/world.ts'
import type { Progress } from './progress.ts'
import type { WorldContext } from './world-command.ts'
import type { ColumnSource } from './world-task.ts'

const regionColumns = 32

const boundsOf = (rx: number, rz: number, radius: number): ChunkBox => ({
  minCx: Math.max(-radius, rx * regionColumns),
  maxCx: Math.min(radius, rx * regionColumns + regionColumns - 1),
  minCz: Math.max(-radius, rz * regionColumns),
  maxCz: Math.min(radius, rz * regionColumns + regionColumns - 1),
})

/** The square of `radius` columns each way around column 0,0 in boxes of 32×32 at most, from the middle outwards, ring by ring. */
export function* squareRegions(radius: number): Generator<ChunkBox, void> {
  const first = Math.floor(-radius / regionColumns)
  const last = Math.floor(radius / regionColumns)
  const rings = Math.max(-first, last)
  for (let ring = 0; ring <= rings; ring += 1)
    for (let rx = 0 - ring; rx <= ring; rx += 1) {
      const step = Math.abs(rx) === ring || ring === 0 ? 1 : ring * 2
      for (let rz = 0 - ring; rz <= ring; rz += step)
        if (rx >= first && rx <= last && rz >= first && rz <= last) yield boundsOf(rx, rz, radius)
    }
}

type Pregeneration = {
  readonly world: WorldRecord
  readonly radius: number
  readonly lease: WorldLease
  readonly pool: ColumnSource
  readonly progress: Progress
  /** Aborted by Ctrl-C and by the loss of the lease. */
  readonly signal: AbortSignal
  readonly onWritten: (columns: number) => void
}

/** A killed run loses two at most: the one that is written and the one that is generated. Enough to keep every core busy. */
const columnsPerBatch = 128

const findMissing = async ({ task }: WorldContext, world: WorldRecord, box: ChunkBox): Promise<ChunkPos[]> => {
  const rows = new Map<number, ReadonlySet<number>>()
  for await (const { cx, czs } of task.chunks.discovered(world, box)) rows.set(cx, new Set(czs))
  const missing: ChunkPos[] = []
  for (let cx = box.minCx; cx <= box.maxCx; cx += 1)
    for (let cz = box.minCz; cz <= box.maxCz; cz += 1) if (!rows.get(cx)?.has(cz)) missing.push({ cx, cz })
  return missing.sort((a, b) => distanceOf(a) - distanceOf(b))
}

const distanceOf = ({ cx, cz }: ChunkPos): number => Math.hypot(cx, cz)

async function* missingBatches(context: WorldContext, { world, radius, progress }: Pregeneration) {
  for (const box of squareRegions(radius)) {
    const missing = await findMissing(context, world, box)
    progress.advance((box.maxCx - box.minCx + 1) * (box.maxCz - box.minCz + 1) - missing.length)
    for (let from = 0; from < missing.length; from += columnsPerBatch) yield missing.slice(from, from + columnsPerBatch)
  }
}

const generateBatch = (positions: readonly ChunkPos[], { pool, signal }: Pregeneration): Promise<ChunkRecord[]> =>
  Promise.all(
    positions.map(async (pos) => ({ ...pos, bytes: await pool.generate(pos, { distance: () => distanceOf(pos), signal }) })),
  )

/** Generates what is missing of the square, a batch after the other durable; the next is generated while one is written. */
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
      // Its failure is met with the next batch, or at the end; until then nobody listens.
      writing.catch(() => undefined)
    }
  } finally {
    // What was generated before a stop is kept.
    await writing
  }
}
