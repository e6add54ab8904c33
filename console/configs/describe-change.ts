import { findItemSchema, findSchema, isSchema, type Path, type Schema } from './schema.ts'
import { titleOfItem, titlesAlong } from './schema-titles.ts'
import { words } from './words.ts'

/** A difference between two versions of a config. An absent value is undefined or null. */
export type ValueChange = { readonly path: Path; readonly from: unknown; readonly to: unknown }

/** A change as text: the labels of its place, and what happened there. */
export type DescribedChange = { readonly place: readonly string[]; readonly what: string }

const isAbsent = (value: unknown): boolean => value === undefined || value === null
const shownMax = 60
const cut = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)

const describeValue = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? words.configs.on : words.configs.off
  if (value === '') return words.configs.emptyText
  if (typeof value === 'string') return cut(value)
  if (Array.isArray(value))
    return value.length === 0 ? words.configs.emptyList : cut(value.map((one, at) => nameOf(one, at)).join(', '))
  return cut(JSON.stringify(value))
}

const nameOf = (value: unknown, at: number): string => (isSchema(value) ? titleOfItem(value, at) : describeValue(value))

/** A change in the words of the form. `before` and `after` are the whole versions, which name the items of lists. */
export const describeChange = (
  schema: Schema,
  { path, from, to }: ValueChange,
  before: unknown,
  after: unknown,
): DescribedChange => {
  const place = titlesAlong(schema, path, after, before)
  const last = path.at(-1)
  const list = findSchema(schema, path.slice(0, -1))
  const isItem = typeof last === 'number' && list !== undefined && findItemSchema(list) !== undefined
  if (isItem && isAbsent(from)) return { place: place.slice(0, -1), what: words.configs.added(nameOf(to, last)) }
  if (isItem && isAbsent(to)) return { place: place.slice(0, -1), what: words.configs.removed(nameOf(from, last)) }
  if (isAbsent(from)) return { place, what: isSchema(to) ? words.configs.addedEntry : words.configs.setTo(describeValue(to)) }
  if (isAbsent(to)) return { place, what: isSchema(from) ? words.configs.removedEntry : words.configs.unset(describeValue(from)) }
  return { place, what: words.configs.changedTo(describeValue(from), describeValue(to)) }
}

const identityOf = (value: unknown): unknown => (isSchema(value) ? (value.name ?? value.id) : value)

const compareLists = (from: readonly unknown[], to: readonly unknown[], path: Path): readonly ValueChange[] => {
  const [old, now] = [from.map(identityOf), to.map(identityOf)]
  const isNamed = [...old, ...now].every((name) => name !== undefined && typeof name !== 'object')
  if (!isNamed)
    return Array.from({ length: Math.max(from.length, to.length) }, (_, at) =>
      compareValues(from[at], to[at], [...path, at]),
    ).flat()
  const removed = old.flatMap((name, at) => (now.includes(name) ? [] : [{ path: [...path, at], from: from[at], to: undefined }]))
  const rest = now.flatMap((name, at) => {
    const was = old.indexOf(name)
    return was < 0 ? [{ path: [...path, at], from: undefined, to: to[at] }] : compareValues(from[was], to[at], [...path, at])
  })
  return [...removed, ...rest]
}

/** The differences between two versions of a config, in the order of the newer one. Items of lists are matched by name. */
export const compareValues = (from: unknown, to: unknown, path: Path = []): readonly ValueChange[] => {
  if (Array.isArray(from) && Array.isArray(to)) return compareLists(from, to, path)
  if (isSchema(from) && isSchema(to))
    return [...new Set([...Object.keys(to), ...Object.keys(from)])].flatMap((key) =>
      compareValues(from[key], to[key], [...path, key]),
    )
  if (JSON.stringify(from) === JSON.stringify(to) || (isAbsent(from) && isAbsent(to))) return []
  // A whole new section is its values.
  if (path.length < 3 && isAbsent(from) && isSchema(to)) return compareValues({}, to, path)
  if (path.length < 3 && isSchema(from) && isAbsent(to)) return compareValues(from, {}, path)
  return [{ path, from, to }]
}
