import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml'

/** The fields of a group that the form edits. Comments and other keys stay unchanged. */
export type Group = {
  readonly name: string
  readonly description: string
  readonly inherits: readonly string[]
  readonly permissions: readonly string[]
}

const groupsOf = (document: Document): readonly YAMLMap[] => {
  const groups = document.get('groups')
  return isSeq(groups) ? groups.items.filter(isMap) : []
}

const listOf = (map: YAMLMap, key: string): readonly string[] => {
  const list = map.get(key)
  return isSeq(list) ? list.items.map((item) => String(Reflect.get(Object(item), 'value') ?? item)) : []
}

/** Sets a list item by item, so that unchanged items keep their comments. */
const setList = (document: Document, map: YAMLMap, key: string, wanted: readonly string[]): void => {
  const list = map.get(key)
  if (wanted.length === 0 && key === 'inherits') {
    map.delete(key)
    return
  }
  if (!isSeq(list)) {
    map.set(key, document.createNode(wanted))
    return
  }
  const had = listOf(map, key)
  const items = wanted.map((value) => {
    const at = had.indexOf(value)
    return at >= 0 ? list.items[at] : document.createNode(value)
  })
  list.items = items
}

const setText = (map: YAMLMap, key: string, value: string): void => {
  if (value === '') map.delete(key)
  else if (map.get(key) !== value) map.set(key, value)
}

const fill = (document: Document, map: YAMLMap, { name, description, inherits, permissions }: Group): void => {
  setText(map, 'name', name)
  setText(map, 'description', description)
  setList(document, map, 'inherits', inherits)
  setList(document, map, 'permissions', permissions)
}

/** The groups in a text of `groups.yaml`. */
export const readGroups = (text: string): readonly Group[] =>
  groupsOf(parseDocument(text)).map((map) => ({
    name: String(map.get('name') ?? ''),
    description: String(map.get('description') ?? ''),
    inherits: listOf(map, 'inherits'),
    permissions: listOf(map, 'permissions'),
  }))

/** Returns the text with a group changed or added, or removed if `group` is undefined. Keeps other comments. */
export const writeGroup = (text: string, name: string, group: Group | undefined): string => {
  const document = parseDocument(text)
  const groups = document.get('groups')
  const list = isSeq(groups) ? groups : document.createNode([])
  if (!isSeq(groups)) document.set('groups', list)
  const found = groupsOf(document).find((map) => map.get('name') === name)
  if (group === undefined) list.items = list.items.filter((item: unknown) => item !== found)
  else if (found !== undefined) fill(document, found, group)
  else {
    const added = document.createNode({ name: group.name })
    if (isMap(added)) fill(document, added, group)
    list.items.push(added)
  }
  return document.toString({ lineWidth: 0 })
}
