/** The number of entries in `sorted` at or before `key`, by bisection. */
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

/** A safe number of arguments for one call. */
const joinedMax = 10_000

/** Concatenates `parts`; `concat` copies memory, which is much faster than copying items. */
const joinParts = <T>(parts: readonly (readonly T[])[]): readonly T[] => {
  let joined: T[] = []
  for (let at = 0; at < parts.length; at += joinedMax) joined = joined.concat(...parts.slice(at, at + joinedMax))
  return joined
}

/**
 * `sorted` with each of `changes` applied: the new item of a key, or `undefined` to remove it. `sorted` is in UTF-16 order of unique
 * keys. Places are found by bisection, and the list is copied once.
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

/** Items sorted or merged in one stretch of a few milliseconds. */
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

/** `items` sorted by their unique keys; `pause` is called between stretches. */
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
