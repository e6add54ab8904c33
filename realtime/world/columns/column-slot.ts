import type { AppError } from '../../../shared/kernel/errors.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import type { ColumnHolder, LoadedColumn } from './loaded-world.ts'

/** The maximum number of holders that are asked for their distance at once. With more holders, the next call asks others. */
const holdersAsked = 16

/** A pending call of `load`. */
export type ColumnWaiter = {
  readonly holder: ColumnHolder
  resolve(column: LoadedColumn): void
  reject(error: AppError): void
}

/** The slot of one column in memory, from its first holder until it is unloaded or given up. */
export type ColumnSlot = {
  readonly pos: ChunkPos
  /** The holders that are stored by name. Undefined: none. */
  holders: Set<ColumnHolder> | undefined
  /** The nearest holder among those that were asked. */
  nearest: ColumnHolder | undefined
  /** The holders that have not been asked yet. */
  asking: Iterator<ColumnHolder> | undefined
  /** The number of further holders, which track their own holds. Used once the column is loaded. */
  counted: number
  waiters: ColumnWaiter[]
  /** Undefined until it is loaded. */
  column: LoadedColumn | undefined
  /** The slot was removed. Data that arrives for it is dropped. */
  isGone: boolean
  /** The number of failed attempts since it was requested. */
  failures: number
  /** The store is removing its damaged record. The slot stays without holders, so that nothing reads the record in the meantime. */
  isSettingAside: boolean
  /** Cancels its generation. */
  cancel: AbortController | undefined
}

export const createColumnSlot = ({ cx, cz }: ChunkPos): ColumnSlot => ({
  pos: { cx, cz },
  holders: undefined,
  nearest: undefined,
  asking: undefined,
  counted: 0,
  waiters: [],
  column: undefined,
  isGone: false,
  failures: 0,
  isSettingAside: false,
  cancel: undefined,
})

const none: Iterable<ColumnHolder> = []

export const isHeld = ({ holders, counted }: ColumnSlot): boolean => counted > 0 || holders !== undefined

export const addHolder = (slot: ColumnSlot, holder: ColumnHolder): void => {
  if (holder.keepsCount === true && slot.column !== undefined) slot.counted += 1
  else slot.holders = (slot.holders ?? new Set()).add(holder)
}

/** Removes a holder. Returns whether it held the column, as far as the slot knows. */
export const removeHolder = (slot: ColumnSlot, holder: ColumnHolder): boolean => {
  const { holders } = slot
  if (holders?.delete(holder) === true) {
    if (slot.nearest === holder) slot.nearest = undefined
    if (holders.size === 0) slot.holders = undefined
    return true
  }
  if (holder.keepsCount !== true || slot.counted === 0) return false
  slot.counted -= 1
  return true
}

/**
 * Replaces stored holders by a count. Distances are not needed after loading, and a thousand views of three hundred columns would
 * take much memory.
 */
export const countHolders = (slot: ColumnSlot): void => {
  const holders = [...(slot.holders ?? none)]
  const named = holders.filter(({ keepsCount }) => keepsCount !== true)
  slot.counted += holders.length - named.length
  slot.holders = named.length === 0 ? undefined : new Set(named)
  slot.nearest = undefined
  slot.asking = undefined
}

/** The next holder, in rotation. */
const nextHolder = (slot: ColumnSlot, holders: Set<ColumnHolder>): ColumnHolder | undefined => {
  const next = slot.asking?.next()
  if (next !== undefined && next.done !== true) return next.value
  slot.asking = holders.values()
  return slot.asking.next().value
}

/** The distance of the nearest holder: the previous nearest one, or one of the next few. */
export const distanceOf = (slot: ColumnSlot): number => {
  const { pos, holders } = slot
  let distance = slot.nearest?.distanceTo(pos) ?? Number.POSITIVE_INFINITY
  if (holders === undefined) return distance
  const count = Math.min(holders.size, holdersAsked)
  for (let asked = 0; asked < count; asked += 1) {
    const holder = nextHolder(slot, holders)
    const own = holder?.distanceTo(pos) ?? distance
    if (own >= distance) continue
    distance = own
    slot.nearest = holder
  }
  return distance
}

/** Records that a holder came nearer. Returns its distance. */
export const noteNearer = (slot: ColumnSlot, holder: ColumnHolder): number => {
  const distance = holder.distanceTo(slot.pos)
  if (slot.nearest === undefined || distance < slot.nearest.distanceTo(slot.pos)) slot.nearest = holder
  return distance
}

/** Rejects the pending calls of `load`: all, or those of one holder. */
export const rejectWaiters = (slot: ColumnSlot, error: AppError, holder?: ColumnHolder): void => {
  const { waiters } = slot
  const isMeant = (waiter: ColumnWaiter): boolean => holder === undefined || waiter.holder === holder
  slot.waiters = waiters.filter((waiter) => !isMeant(waiter))
  for (const waiter of waiters) if (isMeant(waiter)) waiter.reject(error)
}
