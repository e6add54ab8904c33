/** The first `count` of the items in the order of `compare`, without sorting the others. */
export const firstOf = <T>(items: Iterable<T>, count: number, compare: (one: T, other: T) => number): T[] => {
  const first: T[] = []
  for (const item of items) {
    const last = first.at(-1)
    if (first.length === count && last !== undefined && compare(item, last) >= 0) continue
    const place = first.findIndex((other) => compare(item, other) < 0)
    first.splice(place < 0 ? first.length : place, 0, item)
    if (first.length > count) first.pop()
  }
  return first
}
