const bucketCount = 64

/** The maximum number of items that `take` measures again. */
const movesPerTake = 32

/** A queue of items, nearest first. Distances are in whole units, as of the last measurement. */
export type DistanceBuckets<T> = {
  add(item: T): void
  delete(item: T): void
  /** Removes and returns the nearest item. Of equal ones, the oldest comes first. */
  take(): T | undefined
  /** A holder is at this distance. Moves the item forward if it was farther, without measuring it. */
  bringNearer(item: T, distance: number): void
  /** Measures the next `count` items again, because distances change. */
  refresh(count: number): void
  size(): number
}

const bucketOf = (distance: number): number => (distance < bucketCount ? Math.max(0, Math.floor(distance)) : bucketCount - 1)

/** An empty queue. All operations but `refresh` take constant time. */
export const createDistanceBuckets = <T>(distanceOf: (item: T) => number): DistanceBuckets<T> => {
  const buckets = Array.from({ length: bucketCount }, () => new Set<T>())
  const places = new Map<T, number>()

  const measure = (item: T): number => bucketOf(distanceOf(item))

  const remove = (item: T): boolean => {
    const place = places.get(item)
    if (place === undefined) return false
    buckets[place]?.delete(item)
    return places.delete(item)
  }

  const put = (item: T, place: number): void => {
    places.set(item, place)
    buckets[place]?.add(item)
  }

  const first = (): T | undefined => {
    if (places.size > 0) for (const bucket of buckets) for (const item of bucket) return item
    return undefined
  }

  return {
    add: (item) => {
      if (!places.has(item)) put(item, measure(item))
    },
    delete: remove,
    take: () => {
      for (let moves = 0; ; moves += 1) {
        const item = first()
        if (item === undefined) return undefined
        const place = places.get(item) ?? 0
        remove(item)
        const now = measure(item)
        if (now <= place || moves >= movesPerTake) return item
        put(item, now)
      }
    },
    bringNearer: (item, distance) => {
      const place = places.get(item)
      const now = bucketOf(distance)
      if (place === undefined || now >= place) return
      buckets[place]?.delete(item)
      put(item, now)
    },
    refresh: (count) => {
      let rest = Math.min(count, places.size)
      for (const [item, place] of places) {
        if (rest === 0) return
        rest -= 1
        // Added again at the end, so that it is measured last.
        places.delete(item)
        const now = measure(item)
        if (now !== place) buckets[place]?.delete(item)
        put(item, now)
      }
    },
    size: () => places.size,
  }
}
