import { findChild, findItemSchema, isSchema, type Path, type Schema } from './schema.ts'

/** A key of a config as a label: "maxSessions" is "Max sessions". */
const humanise = (key: string): string => {
  const spaced = key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** The label of a key: the title of its schema, or the key in words. Names that people chose stay as they are. */
export const titleOfKey = (parent: Schema, key: string, schema: Schema): string => {
  if (typeof schema.title === 'string') return schema.title
  const isListed = isSchema(parent.properties) && key in parent.properties
  return isListed ? humanise(key) : key
}

/** The label of a list item: its name, if it has one. */
export const titleOfItem = (value: unknown, at: number): string => {
  const { name, id } = isSchema(value) ? value : {}
  const title = name ?? id
  return typeof title === 'string' && title !== '' ? title : `${at + 1}`
}

const childOf = (value: unknown, key: string | number): unknown => {
  if (Array.isArray(value)) return value[Number(key)]
  return isSchema(value) ? value[String(key)] : undefined
}

/** The labels along a path, such as "Sign-in" and "Require a password". The values name the items of lists. */
export const titlesAlong = (schema: Schema, path: Path, ...values: readonly unknown[]): readonly string[] => {
  const titles: string[] = []
  let at: Schema = schema
  let inside = values
  for (const key of path) {
    const child = findChild(at, key) ?? {}
    inside = inside.map((value) => childOf(value, key))
    const item = inside.find((value) => value !== undefined)
    titles.push(typeof key === 'number' ? titleOfItem(item, key) : titleOfKey(at, key, child))
    at = child
  }
  return titles
}

/** The path of a JSON Pointer. A number inside a list is an index. */
export const pathOfPointer = (schema: Schema, pointer: string): Path => {
  const path: (string | number)[] = []
  let at: Schema | undefined = schema
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    const key: string | number = at !== undefined && findItemSchema(at) !== undefined && /^\d+$/.test(name) ? Number(name) : name
    path.push(key)
    at = at && findChild(at, key)
  }
  return path
}

/** The JSON Pointer of a path. */
export const pointerOf = (path: Path): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
