import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml'
import { Account } from './account.ts'
import { formatEntry, parsePlainEntry } from './users-file-entry.ts'
import { parseUserEntry } from './users-file-value.ts'

const parseOptions = { prettyErrors: false } as const

/** The account of one slice, whatever style it is in; undefined when it is none, or means something only with other slices. */
export const parseSlice = (text: string, indent: number): Account | undefined => {
  const plain = parsePlainEntry(text, indent)
  const parsed = parseUserEntry(plain ?? parseStyledSlice(text))
  return parsed.ok ? parsed.value : undefined
}

const parseStyledSlice = (text: string): unknown => {
  const document = parseDocument(text, parseOptions)
  if (document.errors.length > 0) return undefined
  try {
    const value: unknown = document.toJS()
    return Array.isArray(value) && value.length === 1 ? value[0] : undefined
  } catch {
    // An alias of something in another slice, or too many aliases.
    return undefined
  }
}

const setGroups = (document: Document, user: YAMLMap, groups: readonly string[]): void => {
  const list = user.get('groups', true)
  if (!isSeq(list)) {
    user.set('groups', document.createNode([...groups], { flow: true }))
    return
  }
  const nodes = new Map(list.items.flatMap((node) => (isScalar(node) ? [[node.value, node] as const] : [])))
  list.items = groups.map((name) => nodes.get(name) ?? document.createNode(name))
  if (list.items.length === 0) list.flow = true
}

/** Sets in `user` what differs between the account as read and as it shall be; the rest of the node stays as it is. */
export const changeUserNode = (
  document: Document,
  user: YAMLMap,
  change: { readonly from: Account; readonly to: Account },
): void => {
  for (const key of Object.keys(Account.properties)) {
    if (key === 'email') continue
    const [before, after] = [readKey(change.from, key), readKey(change.to, key)]
    if (isDeepStrictEqual(before, after)) continue
    if (after === undefined) user.delete(key)
    else if (key === 'groups') setGroups(document, user, change.to.groups)
    else user.set(key, after)
  }
}

const readKey = (account: Account, key: string): unknown => Object.entries(account).find(([name]) => name === key)?.[1]

const reindent = (text: string, indent: number): string => text.replaceAll(/^(?=[^\n])/gm, ' '.repeat(indent))

const editStyledSlice = (
  text: string,
  indent: number,
  change: { readonly from: Account; readonly to: Account },
): string | undefined => {
  const document = parseDocument(text, parseOptions)
  const user = isSeq(document.contents) ? document.contents.items[0] : undefined
  if (!isMap(user)) return undefined
  changeUserNode(document, user, change)
  const blankLines = /(?:\n *)*$/.exec(text.replace(/\n$/, ''))?.[0] ?? ''
  try {
    return `${reindent(document.toString({ lineWidth: 0 }), indent).replace(/\n+$/, '')}${blankLines}\n`
  } catch {
    return undefined
  }
}

/** The slice with its account changed; its comments, order and quotes stay. `eol` is the line break in use. */
export const editSlice = (
  text: string,
  { from, to, indent, eol }: { readonly from: Account; readonly to: Account; readonly indent: number; readonly eol: string },
): string => {
  const source = text.replaceAll('\r\n', '\n')
  const isOurs = source === formatEntry(from, indent)
  const edited = isOurs ? undefined : editStyledSlice(source, indent, { from, to })
  const isRight = edited !== undefined && isDeepStrictEqual(parseSlice(edited, indent), to)
  return (isRight ? edited : formatEntry(to, indent)).replaceAll('\n', eol)
}
