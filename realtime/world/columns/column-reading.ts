import type { ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { createDistanceBuckets } from '../../workers/distance-buckets.ts'
import { type ColumnSlot, distanceOf } from './column-slot.ts'
import type { Tasks } from './tasks.ts'

/** Small, so that a nearby column does not wait for many distant ones. */
const columnsPerBatch = 32
const batchesMax = 2

/** Reads columns from the store, nearest first. */
export type ColumnReading = {
  add(slot: ColumnSlot): void
  delete(slot: ColumnSlot): void
  /** Starts as many reads as allowed. */
  pump(): void
  bringNearer(slot: ColumnSlot, distance: number): void
  refresh(count: number): void
  inFlight(): number
}

export type ColumnReadingDeps = {
  readonly store: Pick<ChunkStore, 'getMany'>
  readonly world: WorldRef
  readonly log: Log
  readonly tasks: Tasks
  /** The stored record of a column. Undefined if there is none. */
  readonly deliver: (slot: ColumnSlot, bytes: Uint8Array | undefined) => void
  readonly fail: (slot: ColumnSlot, error: unknown) => void
  /** A read has ended, so another can start. */
  readonly done: () => void
}

export const createColumnReading = ({ store, world, log, tasks, deliver, fail, done }: ColumnReadingDeps): ColumnReading => {
  const queue = createDistanceBuckets(distanceOf)
  let batches = 0
  let inFlight = 0
  let isAway = false

  // A column whose read failed is read alone afterwards, so that it cannot fail other reads.
  const takeBatch = (): readonly ColumnSlot[] => {
    const batch: ColumnSlot[] = []
    while (batch.length < columnsPerBatch) {
      const slot = queue.take()
      if (slot === undefined) return batch
      if (slot.failures > 0) {
        if (batch.length === 0) return [slot]
        queue.add(slot)
        return batch
      }
      batch.push(slot)
    }
    return batch
  }

  const read = async (batch: readonly ColumnSlot[]): Promise<void> => {
    const found = await store.getMany(
      world,
      batch.map(({ pos }) => pos),
    )
    if (isAway) log.info({ world: world.name }, 'the chunks of the world can be read again')
    isAway = false
    for (const [index, slot] of batch.entries()) if (!slot.isGone) deliver(slot, found[index])
  }

  const failAll = (batch: readonly ColumnSlot[], error: unknown): void => {
    if (!isAway) log.warn({ err: error, world: world.name }, 'chunks of the world cannot be read; retrying')
    isAway = true
    for (const slot of batch) if (!slot.isGone) fail(slot, error)
  }

  const begin = (batch: readonly ColumnSlot[]): void => {
    batches += 1
    inFlight += batch.length
    const readAndGoOn = async (): Promise<void> => {
      try {
        await read(batch)
      } catch (error) {
        failAll(batch, error)
      } finally {
        batches -= 1
        inFlight -= batch.length
      }
      done()
    }
    tasks.run(readAndGoOn)
  }

  return {
    add: queue.add,
    delete: queue.delete,
    pump: () => {
      while (batches < batchesMax && queue.size() > 0) begin(takeBatch())
    },
    bringNearer: queue.bringNearer,
    refresh: queue.refresh,
    inFlight: () => inFlight,
  }
}
