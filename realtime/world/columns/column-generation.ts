import type { Log } from '../../../shared/kernel/log.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import { createDistanceBuckets } from '../../workers/distance-buckets.ts'
import { type ColumnSlot, distanceOf } from './column-slot.ts'
import type { Tasks } from './tasks.ts'

/** Generates columns. A generation pool implements it. */
export type ChunkGeneration = {
  /** The encoded record of a column. Requests with a smaller `distance` come first. Rejects if `signal` aborts before the start. */
  generate(pos: ChunkPos, options: { readonly distance: () => number; readonly signal: AbortSignal }): Promise<Uint8Array>
}

/** Enough to keep the workers busy between ticks, and few enough to sort cheaply. */
const columnsMax = 32

/** Generates columns that are not in the store, nearest first. */
export type ColumnGeneration = {
  add(slot: ColumnSlot): void
  delete(slot: ColumnSlot): void
  pump(): void
  bringNearer(slot: ColumnSlot, distance: number): void
  refresh(count: number): void
  inFlight(): number
}

export type ColumnGenerationDeps = {
  readonly generation: ChunkGeneration
  readonly log: Log
  readonly tasks: Tasks
  readonly deliver: (slot: ColumnSlot, bytes: Uint8Array) => void
  readonly fail: (slot: ColumnSlot, error: unknown) => void
  /** A request has ended, so another can start. */
  readonly done: () => void
}

export const createColumnGeneration = (deps: ColumnGenerationDeps): ColumnGeneration => {
  const { generation, log, tasks, deliver, fail, done } = deps
  const queue = createDistanceBuckets(distanceOf)
  let inFlight = 0
  let isFailing = false

  const generate = async (slot: ColumnSlot): Promise<void> => {
    const cancel = new AbortController()
    slot.cancel = cancel
    try {
      const bytes = await generation.generate(slot.pos, { distance: () => distanceOf(slot), signal: cancel.signal })
      isFailing = false
      if (!slot.isGone) deliver(slot, bytes)
    } catch (error) {
      if (slot.isGone) return
      if (!isFailing) log.error({ err: error, ...slot.pos }, 'A column could not be generated; trying again.')
      isFailing = true
      fail(slot, error)
    } finally {
      slot.cancel = undefined
      inFlight -= 1
      done()
    }
  }

  return {
    add: queue.add,
    delete: (slot) => {
      queue.delete(slot)
      slot.cancel?.abort()
    },
    pump: () => {
      while (inFlight < columnsMax) {
        const slot = queue.take()
        if (slot === undefined) return
        inFlight += 1
        tasks.run(() => generate(slot))
      }
    },
    bringNearer: queue.bringNearer,
    refresh: queue.refresh,
    inFlight: () => inFlight,
  }
}
