import type { ColumnSlot } from './column-slot.ts'

const firstPauseMs = 250
const pauseMsMax = 8000

/** The maximum number of slots that are returned in one step. The rest follow in the next step. */
const slotsPerStep = 1024

/** Columns whose load failed, until the next attempt. The pause doubles with each failure of a column, up to eight seconds. */
type ColumnRest = {
  add(slot: ColumnSlot, nowMs: number): void
  delete(slot: ColumnSlot): void
  /** Removes and returns the columns that are due. */
  takeDue(nowMs: number): readonly ColumnSlot[]
}

export const createColumnRest = (): ColumnRest => {
  /** By pause, so that each map is ordered by due time. */
  const resting = new Map<number, Map<ColumnSlot, number>>()
  return {
    add: (slot, nowMs) => {
      const pauseMs = Math.min(firstPauseMs * 2 ** (slot.failures - 1), pauseMsMax)
      const level = resting.get(pauseMs) ?? new Map<ColumnSlot, number>()
      resting.set(pauseMs, level)
      level.set(slot, nowMs + pauseMs)
    },
    delete: (slot) => {
      for (const level of resting.values()) level.delete(slot)
    },
    takeDue: (nowMs) => {
      const due: ColumnSlot[] = []
      for (const level of resting.values())
        for (const [slot, dueMs] of level) {
          if (dueMs > nowMs || due.length === slotsPerStep) break
          level.delete(slot)
          due.push(slot)
        }
      return due
    },
  }
}

/** Makes it cheap to walk back and forth, or to return after a fall. */
const idleMax = 384

/** The maximum number of columns that are checked in one step. */
const looksPerStep = 512

/** Loaded columns without holders, ordered by time. */
type IdleColumns = {
  add(slot: ColumnSlot): void
  delete(slot: ColumnSlot): void
  /** Removes the oldest columns beyond the limit, unless their writes are pending. */
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
        // A column with pending writes moves to the end.
        if (slot.column?.writesPending === 0) drop(slot)
        else idle.add(slot)
      }
    },
  }
}
