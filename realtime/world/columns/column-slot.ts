import type { AppError } from '../../../shared/kernel/errors.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import type { ColumnHolder, LoadedColumn } from './loaded-world.ts'

/** Holders that are asked each time how far a column is. Where there are more, the next time it is others. */
const holdersAsked = 16

/** Somebody who waits for `load`. */
export type ColumnWaiter = {
  readonly holder: ColumnHolder
  resolve(column: LoadedColumn): void
  reject(error: AppError): void
}

/** The place of one column in the node's memory, from the first who wants it until it is unloaded or given up. */
export type ColumnSlot = {
  readonly pos: ChunkPos
  /** Those who hold it one by one; undefined: none. */
  holders: Set<ColumnHolder> | undefined
  /** Who was nearest of those that were asked. */
  nearest: ColumnHolder | undefined
  /** The holders that are yet to be asked. */
  asking: Iterator<ColumnHolder> | undefined
  /** How many hold it besides, of those who keep count themselves; they are counted once it is loaded. */
  counted: number
  waiters: ColumnWaiter[]
  /** Undefined until it is loaded. */
  column: LoadedColumn | undefined
  /** Nobody holds it and it was let go of; what arrives for it is dropped. */
  isGone: boolean
  /** Attempts that failed, since it was wanted. */
  failures: number
  /** Its damaged record is on its way out of the store: it stays whoever wants it, so that nobody reads that record meanwhile. */
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

/** Whether it was held by that holder, as far as the slot can know. */
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

/** Holders are told apart to be asked how far it is; once it is loaded nobody asks, and a thousand views of three hundred columns are many names. */
export const countHolders = (slot: ColumnSlot): void => {
  const holders = [...(slot.holders ?? none)]
  const named = holders.filter(({ keepsCount }) => keepsCount !== true)
  slot.counted += holders.length - named.length
  slot.holders = named.length === 0 ? undefined : new Set(named)
  slot.nearest = undefined
  slot.asking = undefined
}

/** Each in turn; after the last it is the first again. */
const nextHolder = (slot: ColumnSlot, holders: Set<ColumnHolder>): ColumnHolder | undefined => {
  const next = slot.asking?.next()
  if (next !== undefined && next.done !== true) return next.value
  slot.asking = holders.values()
  return slot.asking.next().value
}

/** How far it is to the nearest who holds it: to whoever was nearest before, or of the next few who are asked. */
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

/** Notes that a holder came nearer, and says how far they are. */
export const noteNearer = (slot: ColumnSlot, holder: ColumnHolder): number => {
  const distance = holder.distanceTo(slot.pos)
  if (slot.nearest === undefined || distance < slot.nearest.distanceTo(slot.pos)) slot.nearest = holder
  return distance
}

/** Tells those who wait for it that it cannot be had: all, or one holder. */
export const rejectWaiters = (slot: ColumnSlot, error: AppError, holder?: ColumnHolder): void => {
  const { waiters } = slot
  const isMeant = (waiter: ColumnWaiter): boolean => holder === undefined || waiter.holder === holder
  slot.waiters = waiters.filter((waiter) => !isMeant(waiter))
  for (const waiter of waiters) if (isMeant(waiter)) waiter.reject(error)
}
