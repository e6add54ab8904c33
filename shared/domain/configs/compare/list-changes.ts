import type { ConfigFile } from '../declare/config-file.ts'
import type { ConfigChange } from './config-impact-schema.ts'
import { findIdentity } from './list-identity.ts'

/** A value before and after the change, and after a reload of it; undefined if it is absent. */
type Versions = readonly [from: unknown, to: unknown, after: unknown]

/** A difference between two versions; `after` is the active value after a reload. */
type Difference = {
  readonly pointer: string
  readonly from: unknown
  readonly to: unknown
  readonly after: unknown
}

/** Paths of the same value in the old and the new version. */
type ComparedPaths = { readonly old: string; readonly now: string }

/** Both paths with one more step. */
const below = ({ old, now }: ComparedPaths, oldStep: string | number, nowStep: string | number): ComparedPaths => ({
  old: `${old}/${oldStep}`,
  now: `${now}/${nowStep}`,
})

const escapeStep = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const property = (value: unknown, key: string): unknown => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined)

function* compareObjects(from: object, to: object, after: unknown, place: ComparedPaths): Generator<Difference> {
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const step = escapeStep(key)
    yield* findDifferences([property(from, key), property(to, key), property(after, key)], below(place, step, step))
  }
}

/** Compares lists without entry names by index. */
function* compareByPlace(
  from: readonly unknown[],
  to: readonly unknown[],
  after: unknown,
  place: ComparedPaths,
): Generator<Difference> {
  const reloaded = isList(after) ? after : []
  for (let at = 0; at < Math.max(from.length, to.length); at++)
    yield* findDifferences([from[at], to[at], reloaded[at]], below(place, at, at))
}

/** A fast path for unchanged lists of words, without an index of their names. */
const isSameWords = (from: readonly unknown[], to: readonly unknown[]): boolean =>
  from.length === to.length && from.every((entry, at) => entry === to[at])

type NamedList = { readonly names: readonly unknown[]; readonly places: ReadonlyMap<unknown, number> }

const nameEntries = (list: readonly unknown[], identify: (entry: unknown) => unknown): NamedList => {
  const names = list.map(identify)
  return { names, places: new Map(names.map((name, at) => [name, at])) }
}

/** Names in both lists, in the order of the first. */
const common = (one: NamedList, other: NamedList): readonly unknown[] => one.names.filter((name) => other.places.has(name))

const isSameOrder = (one: NamedList, other: NamedList): boolean => {
  const theirs = common(other, one)
  return common(one, other).every((name, at) => name === theirs[at])
}

function* compareByName(
  lists: readonly [from: readonly unknown[], to: readonly unknown[], after: readonly unknown[]],
  identify: (entry: unknown) => unknown,
  place: ComparedPaths,
): Generator<Difference> {
  const [from, to, after] = lists
  const [old, now, reloaded] = [nameEntries(from, identify), nameEntries(to, identify), nameEntries(after, identify)]
  const reloadedEntry = (name: unknown): unknown => after[reloaded.places.get(name) ?? -1]
  for (const [at, name] of old.names.entries())
    if (!now.places.has(name)) yield { pointer: `${place.old}/${at}`, from: from[at], to: undefined, after: reloadedEntry(name) }
  if (!isSameOrder(old, now))
    yield { pointer: place.now, from: old.names, to: now.names, after: isSameOrder(reloaded, now) ? now.names : undefined }
  for (const [at, name] of now.names.entries())
    if (!old.places.has(name)) yield { pointer: `${place.now}/${at}`, from: undefined, to: to[at], after: reloadedEntry(name) }
  for (const [at, name] of now.names.entries()) {
    const before = old.places.get(name)
    if (before !== undefined) yield* findDifferences([from[before], to[at], reloadedEntry(name)], below(place, before, at))
  }
}

/**
 * Every place where the two versions differ; an added or removed entry is one difference. For each list: removed entries, then its new
 * order, then added entries, then changes within entries. Applied in that order, they turn the old version into the new one.
 */
export function* findDifferences(versions: Versions, place: ComparedPaths = { old: '', now: '' }): Generator<Difference> {
  const [from, to, after] = versions
  if (from === to) return
  if (isObject(from) && isObject(to)) yield* compareObjects(from, to, after, place)
  else if (isList(from) && isList(to)) {
    if (isSameWords(from, to)) return
    const reloaded = isList(after) ? after : []
    const identify = findIdentity([from, to, reloaded])
    if (identify === undefined) yield* compareByPlace(from, to, after, place)
    else yield* compareByName([from, to, reloaded], identify, place)
  } else if (from !== to) yield { pointer: to === undefined ? place.old : place.now, from, to, after }
}

/** Whether two values are deeply equal. */
export const isSame = (one: unknown, other: unknown): boolean => findDifferences([one, other, undefined]).next().done === true

/** Maximum number of listed changes; further ones are counted. */
export const changesMax = 500

type ConfigChanges = {
  readonly changes: readonly ConfigChange[]
  /** The number of changes that are not listed. */
  readonly omitted: number
}

/** The values of a config file around a change. */
export type ConfigStates<T> = {
  /** The active value in this process. */
  readonly inForce: T
  /** The value of the stored text. */
  readonly stored: T
  readonly next: T
}

/**
 * The changes from `stored` to `next` with the effect of each, at most 500, in the order of the file. List entries are matched by name, so
 * that an added or removed entry is one change wherever it is, and so is a new order. The cost is linear in the size of both.
 */
export const listChanges = <T>(file: ConfigFile<T>, { inForce, stored, next }: ConfigStates<T>): ConfigChanges => {
  const reloaded = file.afterReload(inForce, next)
  const effectOf = ({ pointer, to, after }: Difference): ConfigChange['effect'] => {
    if (file.isNote(pointer)) return 'now'
    return isSame(after, to) ? 'reload' : 'restart'
  }
  const changes: ConfigChange[] = []
  let omitted = 0
  for (const difference of findDifferences([stored, next, reloaded])) {
    if (changes.length === changesMax) omitted += 1
    else {
      const { pointer, from = null, to = null } = difference
      changes.push({ pointer, from, to, effect: effectOf(difference) })
    }
  }
  return { changes, omitted }
}
