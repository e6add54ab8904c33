import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isNode, isSeq, type Node, visit, type YAMLMap } from 'yaml'
import { composeYaml } from '../../../../platform/yaml/yaml-documents.ts'
import { readYamlTokens } from '../../../../platform/yaml/yaml-tokens.ts'
import { Account } from '../../account.ts'
import type { AccountChanges } from '../account-index.ts'
import { parseUsersDocument } from './users-file-document.ts'
import { formatEntry, parsePlainEntry, parseUserEntry } from './users-file-entry.ts'

/** The document of one slice; undefined if it is not valid YAML by itself. */
const parseSliceDocument = (text: string): Document | undefined => {
  const read = readYamlTokens(text)
  if ('reason' in read) return undefined
  const [document, second] = composeYaml(read.tokens, text.length, {})
  return document.errors.length > 0 || second ? undefined : document
}

const parseStyledSlice = (text: string): unknown => {
  try {
    const value: unknown = parseSliceDocument(text)?.toJS()
    return Array.isArray(value) && value.length === 1 ? value[0] : undefined
  } catch {
    // An alias of a node in another slice, or too many aliases.
    return undefined
  }
}

/** The account of one slice in any style; undefined if it is not an account or depends on other slices. */
export const parseSlice = (text: string, indent: number): Account | undefined => {
  const parsed = parseUserEntry(parsePlainEntry(text, indent) ?? parseStyledSlice(text))
  return parsed.ok ? parsed.value : undefined
}

const linesOf = (comment: string | null | undefined): string[] => (comment ? comment.split('\n').map((line) => `#${line}\n`) : [])

/** All comments of a document or node, one per line. Those above it come first. */
const listComments = (within: Document | Node | undefined): string[] => {
  if (within === undefined) return []
  const comments = isNode(within) ? [] : linesOf(within.commentBefore)
  visit(isNode(within) ? within : within.contents, {
    Node: (_key, node) => {
      comments.push(...linesOf(node.commentBefore), ...linesOf(node.comment))
    },
  })
  return isNode(within) ? comments : [...comments, ...linesOf(within.comment)]
}

const reindent = (text: string, indent: number): string => text.replaceAll(/^(?=[^\n])/gm, ' '.repeat(indent))

type AccountChange = { readonly from: Account; readonly to: Account }

const readKey = (account: Account, key: string): unknown => Object.entries(account).find(([name]) => name === key)?.[1]

/** Sets the keys that differ. Scalars keep their quotes, and items of a block list their comments. */
const changeUserNode = (document: Document, user: YAMLMap, { from, to }: AccountChange): void => {
  for (const key of Object.keys(Account.properties)) {
    const value = readKey(to, key)
    if (isDeepStrictEqual(readKey(from, key), value)) continue
    const old = user.get(key, true)
    if (value === undefined) user.delete(key)
    else if (isSeq(old) && Array.isArray(value)) {
      const isOf = (item: unknown) => (node: unknown) => isNode(node) && isDeepStrictEqual(node.toJS(document), item)
      old.items = value.map((item: unknown) => old.items.find(isOf(item)) ?? document.createNode(item))
      old.flow ||= value.length === 0
    } else user.set(key, Array.isArray(value) ? document.createNode(value, { flow: true }) : value)
  }
}

const editStyledSlice = (text: string, indent: number, change: AccountChange): string | undefined => {
  const document = parseSliceDocument(text)
  const user = isSeq(document?.contents) ? document.contents.items[0] : undefined
  if (!document || !isMap(user)) return undefined
  const before = listComments(document)
  changeUserNode(document, user, change)
  const after = new Set(listComments(document))
  const lost = before.filter((comment) => !after.has(comment)).join('')
  const blankLines = /(?:\n *)*$/.exec(text.replace(/\n$/, ''))?.[0] ?? ''
  try {
    const edited = reindent(document.toString({ lineWidth: 0 }), indent).replace(/\n+$/, '')
    return `${edited}\n${reindent(lost, indent + 2)}`.replace(/\n$/, `${blankLines}\n`)
  } catch {
    return undefined
  }
}

/** The slice with its account changed; keeps comments, order and quotes. `eol` is the line break of the file. */
export const editSlice = (
  text: string,
  { from, to, indent, eol }: AccountChange & { readonly indent: number; readonly eol: string },
): string => {
  const source = text.replaceAll('\r\n', '\n')
  if (source === formatEntry(from, indent)) return formatEntry(to, indent).replaceAll('\n', eol)
  const edited = editStyledSlice(source, indent, { from, to })
  const isRight = edited !== undefined && isDeepStrictEqual(parseSlice(edited, indent), to)
  // The library does not write every value as it reads it: then the account gets our style, with all comments below it.
  const replaced = () => formatEntry(to, indent) + reindent(listComments(parseSliceDocument(source)).join(''), indent + 2)
  return (isRight ? edited : replaced()).replaceAll('\n', eol)
}

/**
 * Writes the whole file in our style, with the comments of each account below it. For styles that cannot be cut into slices: JSON, flow
 * style, anchors across accounts. Comments above a removed account stay.
 */
export const rewriteUsersText = (text: string, changes: AccountChanges): string => {
  const { document, accounts } = parseUsersDocument(text)
  const list = isMap(document.contents) ? document.contents.get('users', true) : undefined
  const items = isSeq(list) ? list.items : []
  const below = isSeq(list) ? linesOf(list.comment) : []
  if (isSeq(list)) {
    list.items = []
    list.comment = null
  }
  const emails = new Set(accounts.map(({ email }) => email))
  const entries = accounts.map((account, at) => {
    const node = items[at]
    const comments = isNode(node) ? listComments(node) : []
    const lead = comments.splice(0, isNode(node) ? linesOf(node.commentBefore).length : 0)
    const to = changes.has(account.email) ? changes.get(account.email) : account
    return reindent(lead.join(''), 2) + (to ? formatEntry(to, 2) + reindent(comments.join(''), 4) : '')
  })
  for (const [email, to] of changes) if (to && !emails.has(email)) entries.push(formatEntry(to, 2))
  const remaining = entries.length - [...changes].filter(([email, to]) => !to && emails.has(email)).length
  const head = `${listComments(document).join('')}${remaining > 0 ? 'users:' : 'users: []'}\n`
  const rewritten = head + entries.join('') + reindent(below.join(''), 2)
  return text.includes('\r\n') ? rewritten.replaceAll('\n', '\r\n') : rewritten
}
