import type { ColumnSlot } from './column-slot.ts'

const firstPauseMs = 250
const pauseMsMax = 8000

/** Slots that are given back in one step, at the most: the rest follow in the next. */
const slotsPerStep = 1024

/** Columns whose attempt failed, until it is time for the next; each pause of a column is twice the one before, up to eight seconds. */
type ColumnRest = {
  add(slot: ColumnSlot, nowMs: number): void
  delete(slot: ColumnSlot): void
  /** Takes out those whose time has come. */
  takeDue(nowMs: number): readonly ColumnSlot[]
}

export const createColumnRest = (): ColumnRest => {
  /** By pause, so that each is in the order of what is due. */
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

/** So that walking to and fro, or coming back after a fall, costs nothing. */
const idleMax = 384

/** Columns that are looked at in one step, at the most. */
const looksPerStep = 512

/** Loaded columns that nobody holds, the longest left alone first to go. */
type IdleColumns = {
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
