/** What waits for its turn; `distance` is asked again, since what it is measured from moves. */
export type Waiting = { readonly distance: () => number }

/** Of all that waits, the nearest goes first. */
export type NearestQueue<T extends Waiting> = {
  add(item: T): void
  /** Whether it was waiting. */
  remove(item: T): boolean
  /** Takes out the one that is nearest at this moment; past eight that wait, one that was so a moment ago. */
  take(): T | undefined
  /** Takes out all, in order of coming. */
  takeAll(): readonly T[]
}

/** How many may wait for each one that a look over all of them finds, and of few, where each look is short, for each of the first four. */
const waitingPerFind = 256
const fewPerFind = 8
const foundOfFew = 4

const findsOf = (waiting: number): number =>
  Math.max(Math.ceil(waiting / waitingPerFind), Math.min(Math.ceil(waiting / fewPerFind), foundOfFew))

/** Puts an item into a short list of the nearest ones, farthest first. */
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
 * A queue whose order is looked up when something is taken. One look over all finds so many that each costs a
 * few microseconds, however many wait. What is added and nearer than one of those goes among them.
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
      // Beyond the farthest of them others may be nearer.
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
