/** How many of `sorted` are at or before `key`, by bisection: a place late in a long list costs no more than the first. */
export const countUpTo = <T>(sorted: readonly T[], keyOf: (item: T) => string, key: string): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = sorted[middle]
    if (item !== undefined && keyOf(item) <= key) low = middle + 1
    else high = middle
  }
  return low
}

/** A function takes so many arguments safely. */
const joinedMax = 10_000

/** One list of `parts`; memory is copied much faster than items. */
const joinParts = <T>(parts: readonly (readonly T[])[]): readonly T[] => {
  let joined: T[] = []
  for (let at = 0; at < parts.length; at += joinedMax) joined = joined.concat(...parts.slice(at, at + joinedMax))
  return joined
}

/**
 * `sorted`, in UTF-16 order of keys that no two share, with each of `changes` made: what has this key from now on, or `undefined` for
 * nothing. Places are found by bisection, and the list is copied once.
 */
export const changeSorted = <T>(
  sorted: readonly T[],
  keyOf: (item: T) => string,
  changes: ReadonlyMap<string, T | undefined>,
): readonly T[] => {
  const parts: (readonly T[])[] = []
  let kept = 0
  for (const [key, item] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const upTo = countUpTo(sorted, keyOf, key)
    const last = sorted[upTo - 1]
    parts.push(sorted.slice(kept, last !== undefined && keyOf(last) === key ? upTo - 1 : upTo))
    kept = upTo
    if (item !== undefined) parts.push([item])
  }
  parts.push(sorted.slice(kept))
  return joinParts(parts)
}

/** How many are sorted or merged at a stretch: a few milliseconds. */
const stretchMax = 2048

type Sorting<T> = { readonly keyOf: (item: T) => string; readonly pause: () => Promise<void> | undefined }

const merge = async <T>(one: readonly T[], other: readonly T[], { keyOf, pause }: Sorting<T>): Promise<readonly T[]> => {
  const [lastOfOne, firstOfOther] = [one.at(-1), other[0]]
  if (lastOfOne === undefined || firstOfOther === undefined) return one.concat(other)
  if (keyOf(lastOfOne) < keyOf(firstOfOther)) return one.concat(other)
  const merged: T[] = []
  let [at, otherAt] = [0, 0]
  for (let item = one[0], rival = other[0]; item !== undefined && rival !== undefined; ) {
    if (keyOf(item) < keyOf(rival)) {
      merged.push(item)
      at += 1
      item = one[at]
    } else {
      merged.push(rival)
      otherAt += 1
      rival = other[otherAt]
    }
    if (merged.length % stretchMax === 0) await pause()
  }
  return merged.concat(one.slice(at), other.slice(otherAt))
}

/** `items` in the order of their keys, of which no two are the same; `pause` is called between stretches. */
export const sortInStretches = async <T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  pause: () => Promise<void> | undefined,
): Promise<readonly T[]> => {
  let runs: (readonly T[])[] = []
  for (let at = 0; at < items.length; at += stretchMax) {
    runs.push(items.slice(at, at + stretchMax).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    await pause()
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = []
    for (let at = 0; at < runs.length; at += 2) longer.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], { keyOf, pause }))
    runs = longer
  }
  return runs[0] ?? []
}
