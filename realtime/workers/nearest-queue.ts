/** What waits for its turn; `distance` is asked again, since what it is measured from moves. */
export type Waiting = { readonly distance: () => number }

/** Of all that waits, the nearest goes first. */
export type NearestQueue<T extends Waiting> = {
  add(item: T): void
  /** Whether it was waiting. */
  remove(item: T): boolean
  /** Takes out the one that is nearest at this moment; past a few hundred that wait, one that was so a moment ago. */
  take(): T | undefined
  /** Takes out all, in order of coming. */
  takeAll(): readonly T[]
}

/** How many may wait for each one that a look over all of them finds. */
const waitingPerFind = 256

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
 * few microseconds, however many wait. Whatever is added ends that look: the next take begins another.
 */
export const createNearestQueue = <T extends Waiting>(): NearestQueue<T> => {
  const waiting = new Set<T>()
  let nearest: { item: T; distance: number }[] = []

  const look = () => {
    nearest = []
    const lengthMax = Math.ceil(waiting.size / waitingPerFind)
    for (const item of waiting) insertNearest(nearest, { item, distance: item.distance() }, lengthMax)
  }

  return {
    add: (item) => {
      waiting.add(item)
      nearest = []
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
