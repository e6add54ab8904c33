import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { Chunk } from '../../../shared/rules/chunks/chunk.ts'
import type { ColumnSlot } from './column-slot.ts'
import type { LoadedColumn } from './loaded-world.ts'

/** The time that a tick may spend on decoding columns, in milliseconds. */
const stepBudgetMs = 4

/** A record of a column. `isNew`: it was generated and is not in the store yet. */
export type Arrival = { readonly slot: ColumnSlot; readonly bytes: Uint8Array; readonly isNew: boolean }

/** Records that a tick will decode. */
export type ColumnArrivals = {
  push(arrival: Arrival): void
  size(): number
  /** Decodes records in order of arrival, at least one, until the time is up. */
  step(): void
}

export type ColumnArrivalsDeps = {
  readonly registry: BlockRegistry
  readonly clock: Clock
  readonly log: Log
  readonly createColumn: (chunk: Chunk) => LoadedColumn
  readonly takeIn: (arrival: Arrival, column: LoadedColumn) => void
  /** The stored bytes are not a valid record of a column. */
  readonly damaged: (slot: ColumnSlot, fault: string) => void
  readonly fail: (slot: ColumnSlot, error: AppError) => void
}

const unusable = ({ pos: { cx, cz } }: ColumnSlot, fault: string): AppError =>
  new AppError('unavailable', 'world-unusable', `The column ${cx},${cz} cannot be loaded: ${fault}.`)

export const createColumnArrivals = (deps: ColumnArrivalsDeps): ColumnArrivals => {
  const { registry, clock, log, createColumn, takeIn, damaged, fail } = deps
  const arrivals: Arrival[] = []

  // A valid record of a newer version stays in the store.
  const refuse = ({ slot, isNew }: Arrival, fault: string, isNewer: boolean): void => {
    if (!isNew && !isNewer) {
      damaged(slot, fault)
      return
    }
    if (slot.failures === 0) log.error({ ...slot.pos, fault }, 'the record of a column cannot be used')
    fail(slot, unusable(slot, fault))
  }

  const decode = (arrival: Arrival): void => {
    const { slot, bytes } = arrival
    if (slot.isGone) return
    const decoded = decodeChunk(bytes, slot.pos, registry)
    if (!decoded.ok) {
      refuse(arrival, decoded.fault, decoded.newer)
      return
    }
    takeIn(arrival, createColumn(decoded.chunk))
  }

  return {
    push: (arrival) => {
      arrivals.push(arrival)
    },
    size: () => arrivals.length,
    step: () => {
      const deadlineMs = clock.monotonic() + stepBudgetMs
      let taken = 0
      for (const arrival of arrivals) {
        if (taken > 0 && clock.monotonic() >= deadlineMs) break
        taken += 1
        decode(arrival)
      }
      arrivals.splice(0, taken)
    },
  }
}
