import { AppError } from '../../../shared/kernel/errors.ts'
import { air, getBlock, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { type ChunkPos, chunkKey, isChunkPos, worldHeight } from '../../../shared/rules/positions.ts'
import { type ColumnLoadingDeps, createColumnLoading } from './column-loading.ts'
import { createIdleColumns } from './column-rest.ts'
import { addHolder, type ColumnSlot, countHolders, createColumnSlot, isHeld, rejectWaiters, removeHolder } from './column-slot.ts'
import type { ColumnHolder, LoadedColumn, LoadedWorld } from './loaded-world.ts'
import { createPackedColumns } from './packed-columns.ts'
import { createTasks } from './tasks.ts'

export type LoadedWorldDeps = Omit<ColumnLoadingDeps, 'tasks' | 'createColumn' | 'onLoaded' | 'onReleased' | 'store'> & {
  readonly chunks: ColumnLoadingDeps['store']
  /** Called in a tick for each loaded column. */
  readonly onLoaded?: (column: LoadedColumn) => void
}

const noColumn = (): AppError => new AppError('invalid', 'bad-request', 'That position is outside the world.')

const notWanted = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'The blocks there are no longer needed.', { retryAfterSeconds: 1 })

const closing = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'The world is closing. Try again later.', {
    retryAfterSeconds: 5,
  })

/** The columns that were loaded, in order. */
type ArrivalLog = {
  add(pos: ChunkPos): void
  /** The number of loaded columns since the start. */
  count(): number
  /**
   * Whether a column after the first `seen` is within `radius` columns of `center` on each axis. Also true if that was too long ago
   * to be known.
   */
  hasNear(seen: number, center: ChunkPos, radius: number): boolean
}

/** The arrivals of several ticks. */
const keptCount = 1024

const createArrivalLog = (): ArrivalLog => {
  const cxs = new Int32Array(keptCount)
  const czs = new Int32Array(keptCount)
  let count = 0
  return {
    add: ({ cx, cz }) => {
      cxs[count % keptCount] = cx
      czs[count % keptCount] = cz
      count += 1
    },
    count: () => count,
    hasNear: (seen, { cx, cz }, radius) => {
      if (seen < count - keptCount) return true
      for (let at = seen; at < count; at += 1)
        if (Math.abs((cxs[at % keptCount] ?? 0) - cx) <= radius && Math.abs((czs[at % keptCount] ?? 0) - cz) <= radius)
          return true
      return false
    },
  }
}

/** An empty world. A few hundred columns stay in memory for a while after their last holder. */
export const createLoadedWorld = ({ chunks, onLoaded, ...deps }: LoadedWorldDeps): LoadedWorld => {
  const slots = new Map<number, ColumnSlot>()
  const tasks = createTasks(deps.log)
  const packing = createPackedColumns(deps.clock)
  let loaded = 0
  const arrivals = createArrivalLog()
  let isClosed = false

  const drop = (slot: ColumnSlot): void => {
    slot.isGone = true
    slots.delete(chunkKey(slot.pos.cx, slot.pos.cz))
    if (slot.column !== undefined) {
      loaded -= 1
      packing.forget(slot.column)
    }
    loading.cancel(slot)
  }
  const idle = createIdleColumns(drop)

  const takeIn = (slot: ColumnSlot, column: LoadedColumn): void => {
    const { waiters } = slot
    slot.column = column
    countHolders(slot)
    slot.waiters = []
    loaded += 1
    arrivals.add(slot.pos)
    onLoaded?.(column)
    for (const { resolve } of waiters) resolve(column)
  }

  const dropIfUnwanted = (slot: ColumnSlot): void => {
    if (isHeld(slot) || slot.isGone) return
    if (slot.column !== undefined) idle.add(slot)
    else if (!slot.isSettingAside) drop(slot)
  }

  const loading = createColumnLoading({
    ...deps,
    store: chunks,
    tasks,
    createColumn: packing.create,
    onLoaded: takeIn,
    onReleased: dropIfUnwanted,
  })

  const slotAt = (pos: ChunkPos): ColumnSlot => {
    const known = slots.get(chunkKey(pos.cx, pos.cz))
    if (known !== undefined) return known
    const slot = createColumnSlot(pos)
    slots.set(chunkKey(pos.cx, pos.cz), slot)
    return slot
  }

  const hold = (pos: ChunkPos, holder: ColumnHolder): ColumnSlot => {
    const slot = slotAt(pos)
    const isNew = !isHeld(slot)
    addHolder(slot, holder)
    if (!isNew) {
      if (slot.column === undefined) loading.comeNearer(slot, holder)
      return slot
    }
    if (slot.column !== undefined) idle.delete(slot)
    else if (!slot.isSettingAside) loading.want(slot)
    return slot
  }

  const letGo = ({ cx, cz }: ChunkPos, holder: ColumnHolder): void => {
    const slot = slots.get(chunkKey(cx, cz))
    if (slot === undefined || !removeHolder(slot, holder)) return
    if (slot.waiters.length > 0) rejectWaiters(slot, notWanted(), holder)
    dropIfUnwanted(slot)
  }

  const load = (pos: ChunkPos, holder: ColumnHolder): Promise<LoadedColumn> =>
    new Promise((resolve, reject) => {
      const isHeldAlready = slots.get(chunkKey(pos.cx, pos.cz))?.holders?.has(holder) === true
      const { column, waiters } = hold(pos, holder)
      if (column !== undefined) resolve(column)
      else
        waiters.push({
          holder,
          resolve,
          reject: (error) => {
            if (!isHeldAlready) letGo(pos, holder)
            reject(error)
          },
        })
    })

  const find = (cx: number, cz: number): LoadedColumn | undefined => slots.get(chunkKey(cx, cz))?.column

  // The blocks around a player are mostly in one column.
  let last: ColumnSlot | undefined
  const findLast = (cx: number, cz: number): LoadedColumn | undefined => {
    if (last === undefined || last.isGone || last.pos.cx !== cx || last.pos.cz !== cz) last = slots.get(chunkKey(cx, cz))
    return last?.column
  }

  return {
    find,
    hold: (pos, holder) => {
      if (!isClosed && isChunkPos(pos)) hold(pos, holder)
    },
    comeNearer: ({ cx, cz }, holder) => {
      const slot = slots.get(chunkKey(cx, cz))
      if (slot !== undefined && slot.column === undefined) loading.comeNearer(slot, holder)
    },
    letGo,
    load: async (pos, holder) => {
      if (isClosed) throw closing()
      if (!isChunkPos(pos)) throw noColumn()
      return load(pos, holder)
    },
    blockAt: (x, y, z) => {
      const column = findLast(x >> 4, z >> 4)
      if (column === undefined) return undefined
      return y >= 0 && y < worldHeight ? getBlock(column.chunk, x, y, z) : air
    },
    setBlock: (x, y, z, index) => {
      const column = find(x >> 4, z >> 4)
      if (column === undefined) throw new Error(`No column of the block ${x},${y},${z} is in memory.`)
      const before = getBlock(column.chunk, x, y, z)
      if (before === index) return before
      packing.change(column)
      setBlock(column.chunk, { x, y, z }, index)
      column.binaryFrame = undefined
      column.textFrame = undefined
      return before
    },
    step: () => {
      if (isClosed) return
      loading.step()
      idle.step()
      packing.step()
    },
    hasArrivedNear: arrivals.hasNear,
    stats: () => ({
      loaded,
      loading: slots.size - loaded,
      arrived: arrivals.count(),
      damaged: loading.damaged(),
      packed: packing.packed(),
    }),
    close: async () => {
      isClosed = true
      for (const slot of [...slots.values()]) {
        if (slot.column !== undefined) continue
        drop(slot)
        rejectWaiters(slot, closing())
      }
      await tasks.settle()
    },
  }
}
