/** A queued item. `distance` is read repeatedly, because it changes over time. */
export type Waiting = { readonly distance: () => number }

/** A queue that returns the nearest item first. */
export type NearestQueue<T extends Waiting> = {
  add(item: T): void
  /** Returns whether the item was in the queue. */
  remove(item: T): boolean
  /** Removes the nearest item. With more than eight items it may be slightly out of date. */
  take(): T | undefined
  /** Removes all items, in order of arrival. */
  takeAll(): readonly T[]
}

/**
 * One search over all items finds one near item for each `waitingPerFind` items. In a short queue, where a search is cheap, it finds
 * one for each `fewPerFind` items, up to `foundOfFew`.
 */
const waitingPerFind = 256
const fewPerFind = 8
const foundOfFew = 4

const findsOf = (waiting: number): number =>
  Math.max(Math.ceil(waiting / waitingPerFind), Math.min(Math.ceil(waiting / fewPerFind), foundOfFew))

/** Inserts an item into a short list of nearest items, farthest first. */
const insertNearest = <T>(
  nearest: { item: T; distance: number }[],
  found: { item: T; distance: number },
  lengthMax: number,
): void => {
  if (nearest.length >= lengthMax) {
    if (!(found.distance < (nearest[0]?.distance ?? 0))) return
    nearest.shift()
  }
  const after = nearest.findIndex(({ distance }) => distance <= found.distance)
  nearest.splice(after === -1 ? nearest.length : after, 0, found)
}

/**
 * A queue that is ordered only when an item is taken. One search over all items finds several near ones, so each costs a few
 * microseconds at any length. A new item that is nearer joins them.
 */
export const createNearestQueue = <T extends Waiting>(): NearestQueue<T> => {
  const waiting = new Set<T>()
  let nearest: { item: T; distance: number }[] = []

  const look = () => {
    nearest = []
    const lengthMax = findsOf(waiting.size)
    for (const item of waiting) insertNearest(nearest, { item, distance: item.distance() }, lengthMax)
  }

  return {
    add: (item) => {
      waiting.add(item)
      const found = { item, distance: item.distance() }
      // An item beyond the farthest of them may not be the next one.
      if (found.distance < (nearest[0]?.distance ?? Number.NEGATIVE_INFINITY)) insertNearest(nearest, found, nearest.length)
    },
    remove: (item) => waiting.delete(item),
    take: () => {
      while (waiting.size > 0) {
        if (nearest.length === 0) look()
        const found = nearest.pop()
        if (found !== undefined && waiting.delete(found.item)) return found.item
      }
      return undefined
    },
    takeAll: () => {
      const all = [...waiting]
      waiting.clear()
      nearest = []
      return all
    },
  }
}
