import type { ColumnSlot } from './column-slot.ts'

/** So that walking to and fro, or coming back after a fall, costs nothing. */
const idleMax = 384

/** Columns that are looked at in one step, at the most. */
const looksPerStep = 512

/** Loaded columns that nobody holds, the longest left alone first to go. */
export type IdleColumns = {
  add(slot: ColumnSlot): void
  delete(slot: ColumnSlot): void
  /** Drops those beyond the bound, unless writes of them are not durable yet. */
  step(): void
}

export const createIdleColumns = (drop: (slot: ColumnSlot) => void): IdleColumns => {
  const idle = new Set<ColumnSlot>()
  return {
    add: (slot) => {
      idle.add(slot)
    },
    delete: (slot) => {
      idle.delete(slot)
    },
    step: () => {
      if (idle.size <= idleMax) return
      let looks = 0
      for (const slot of idle) {
        if (idle.size <= idleMax || looks === looksPerStep) return
        looks += 1
        idle.delete(slot)
        // One that is being written goes to the end of the line.
        if (slot.column?.writesPending === 0) drop(slot)
        else idle.add(slot)
      }
    },
  }
}
