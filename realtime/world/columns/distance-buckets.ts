const bucketCount = 64

/** Items that `take` re-measures, at the most, before it is content with what it has. */
const movesPerTake = 32

/** Items that wait, the nearest first: exact to a whole unit of distance, and as of when they were last measured. */
export type DistanceBuckets<T> = {
  add(item: T): void
  delete(item: T): void
  /** Takes out the nearest; among equals the one that came first. */
  take(): T | undefined
  /** Somebody is so near to one that waits: it is moved up if it was farther, without being measured. */
  bringNearer(item: T, distance: number): void
  /** Measures so many again, each in its turn: whoever they wait for moves. */
  refresh(count: number): void
  size(): number
}

const bucketOf = (distance: number): number => (distance < bucketCount ? Math.max(0, Math.floor(distance)) : bucketCount - 1)

/** An empty queue; everything but `refresh` costs the same however long it is. */
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
        // Taken out and put back, it is the last that is measured again.
        places.delete(item)
        const now = measure(item)
        if (now !== place) buckets[place]?.delete(item)
        put(item, now)
      }
    },
    size: () => places.size,
  }
}
