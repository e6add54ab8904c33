import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { Chunk } from '../../../shared/rules/chunks/chunk.ts'
import { createDistanceBuckets } from '../../workers/distance-buckets.ts'
import type { ChunkWriter } from '../writing/chunk-writer.ts'
import { createColumnArrivals } from './column-arrivals.ts'
import { type ChunkGeneration, createColumnGeneration } from './column-generation.ts'
import { createColumnRest } from './column-rest.ts'
import { createColumnSaving } from './column-saving.ts'
import { type ColumnSlot, distanceOf, noteNearer, rejectWaiters } from './column-slot.ts'
import { createDamagedColumns } from './damaged-columns.ts'
import type { ColumnHolder, LoadedColumn } from './loaded-world.ts'
import type { Tasks } from './tasks.ts'

/** Small, so that a nearby column does not wait for many distant ones. */
const columnsPerBatch = 32
const batchesMax = 2

/** Reads columns from the store, nearest first. */
type ColumnReading = {
  add(slot: ColumnSlot): void
  delete(slot: ColumnSlot): void
  /** Starts as many reads as allowed. */
  pump(): void
  bringNearer(slot: ColumnSlot, distance: number): void
  refresh(count: number): void
  inFlight(): number
}

type ColumnReadingDeps = {
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

const createColumnReading = ({ store, world, log, tasks, deliver, fail, done }: ColumnReadingDeps): ColumnReading => {
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

/** The maximum number of records that are being loaded or wait for a tick. */
const arrivalsMax = 512

/** The maximum number of new columns that wait for the store. Generation pauses at this limit. */
const unsavedMax = 1024

/** The number of columns of each queue that are measured again in a tick. */
const measuredPerStep = 128

export type ColumnLoadingDeps = {
  readonly store: Pick<ChunkStore, 'getMany' | 'setAside'>
  readonly world: WorldRef
  readonly fence: number
  readonly registry: BlockRegistry
  readonly generation: ChunkGeneration
  readonly writer: Pick<ChunkWriter, 'writeRecords'>
  readonly log: Log
  readonly clock: Clock
  readonly tasks: Tasks
  readonly createColumn: (chunk: Chunk) => LoadedColumn
  readonly onLoaded: (slot: ColumnSlot, column: LoadedColumn) => void
  /** The slot was only kept for the store and may be removed now. */
  readonly onReleased: (slot: ColumnSlot) => void
}

/** Loads columns from the store, or generates them. Failures are retried while the column has holders. */
export type ColumnLoading = {
  want(slot: ColumnSlot): void
  /** A holder has come nearer to the column. */
  comeNearer(slot: ColumnSlot, holder: ColumnHolder): void
  /** The column has no holders left. */
  cancel(slot: ColumnSlot): void
  step(): void
  damaged(): number
}

const toAppError = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError('unavailable', 'service-unavailable', 'The blocks there cannot be loaded at the moment. Try again soon.', {
        cause: error,
        retryAfterSeconds: 1,
      })

export const createColumnLoading = (deps: ColumnLoadingDeps): ColumnLoading => {
  const { clock, log } = deps
  const rest = createColumnRest()
  const saving = createColumnSaving(deps.writer, log)
  let isPumping = false

  const fail = (slot: ColumnSlot, error: unknown): void => {
    slot.failures += 1
    rest.add(slot, clock.monotonic())
    rejectWaiters(slot, toAppError(error))
    deps.onReleased(slot)
  }

  const pump = (): void => {
    isPumping = false
    if (arrivals.size() + reading.inFlight() < arrivalsMax) reading.pump()
    if (arrivals.size() + generation.inFlight() < arrivalsMax && saving.pending() < unsavedMax) generation.pump()
  }

  // A tick may request many columns. They are sent together, right after it.
  const pumpSoon = (): void => {
    if (isPumping) return
    isPumping = true
    queueMicrotask(pump)
  }

  const generation = createColumnGeneration({
    ...deps,
    fail,
    done: pumpSoon,
    deliver: (slot, bytes) => arrivals.push({ slot, bytes, isNew: true }),
  })

  const reading = createColumnReading({
    ...deps,
    fail,
    done: pumpSoon,
    deliver: (slot, bytes) => {
      if (bytes === undefined) generation.add(slot)
      else arrivals.push({ slot, bytes, isNew: false })
    },
  })

  const makeAnew = (slot: ColumnSlot): void => {
    deps.onReleased(slot)
    if (slot.isGone) return
    generation.add(slot)
    pumpSoon()
  }
  const damaged = createDamagedColumns({ ...deps, fail, done: makeAnew })

  const arrivals = createColumnArrivals({
    ...deps,
    fail,
    damaged: damaged.setAside,
    takeIn: ({ slot, bytes, isNew }, column) => {
      if (isNew) saving.add(column, bytes)
      deps.onLoaded(slot, column)
    },
  })

  return {
    want: (slot) => {
      reading.add(slot)
      pumpSoon()
    },
    comeNearer: (slot, holder) => {
      const distance = noteNearer(slot, holder)
      reading.bringNearer(slot, distance)
      generation.bringNearer(slot, distance)
    },
    cancel: (slot) => {
      reading.delete(slot)
      generation.delete(slot)
      rest.delete(slot)
    },
    step: () => {
      for (const slot of rest.takeDue(clock.monotonic())) reading.add(slot)
      arrivals.step()
      saving.flush()
      reading.refresh(measuredPerStep)
      generation.refresh(measuredPerStep)
      pump()
    },
    damaged: damaged.count,
  }
}
