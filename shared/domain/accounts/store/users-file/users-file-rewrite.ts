import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isNode, isScalar, isSeq, visit, type YAMLMap, YAMLSeq } from 'yaml'
import { Account } from '../../account.ts'
import type { AccountMap } from '../account-map.ts'
import { parseUsersDocument, type UsersDocument } from './users-file-document.ts'
import { UsersFileFault } from './users-file-fault.ts'

export type AccountChange = { readonly from: Account; readonly to: Account }

/** Joins comments, one per line; null if there are none, as the library expects. */
const joinComments = (...comments: readonly (string | null | undefined)[]): string | null =>
  comments.filter((comment) => comment).join('\n') || null

const commentsOf = (...nodes: readonly unknown[]): string | null =>
  joinComments(...nodes.flatMap((node) => (isNode(node) ? [node.commentBefore, node.comment] : [])))

/** Removes a key; its comments move above the next one. */
const removeKey = (user: YAMLMap, key: string): void => {
  const at = user.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key)
  const [pair, next] = [user.items[at], user.items[at + 1]?.key]
  const comments = commentsOf(pair?.key, pair?.value)
  if (isNode(next)) next.commentBefore = joinComments(comments, next.commentBefore)
  else user.comment = joinComments(user.comment, comments)
  user.items.splice(at, 1)
}

const replaceItems = (document: Document, list: YAMLSeq, names: readonly unknown[]): void => {
  const isOf = (name: unknown) => (node: unknown) => isNode(node) && isDeepStrictEqual(node.toJS(document), name)
  const removed = list.items.filter((node) => !names.some((name) => isOf(name)(node)))
  list.items = names.map((name) => list.items.find(isOf(name)) ?? document.createNode(name))
  list.comment = joinComments(commentsOf(...removed), list.comment)
  if (list.items.length === 0) list.flow = true
}

const setKey = (document: Document, user: YAMLMap, key: string, value: unknown): void => {
  const old = user.get(key, true)
  if (isScalar(old) && typeof value === 'string') {
    old.value = value
    return
  }
  const node = document.createNode(value, { flow: true })
  if (isNode(old)) {
    node.commentBefore = old.commentBefore ?? null
    node.comment = old.comment ?? null
  }
  user.set(key, node)
}

const setList = (document: Document, user: YAMLMap, key: string, names: readonly unknown[]): void => {
  const list = user.get(key, true)
  if (isSeq(list) && list.items.length > 0) replaceItems(document, list, names)
  else setKey(document, user, key, [...names])
}

const readKey = (account: Account, key: string): unknown => Object.entries(account).find(([name]) => name === key)?.[1]

/** Updates the keys of `user` that differ between `from` and `to`. Keeps the rest of the node, including comments. */
export const changeUserNode = (document: Document, user: YAMLMap, { from, to }: AccountChange): void => {
  for (const key of Object.keys(Account.properties)) {
    const after = readKey(to, key)
    if (isDeepStrictEqual(readKey(from, key), after)) continue
    if (after === undefined) removeKey(user, key)
    else if (Array.isArray(after)) setList(document, user, key, after)
    else setKey(document, user, key, after)
  }
}

/** An account as a new node: one key a line, each list on one line. */
const createUserNode = (document: Document, account: Account) => {
  const user = document.createNode({ ...account })
  if (isMap(user)) for (const { value } of user.items) if (isSeq(value)) value.flow = true
  return user
}

export type AccountChanges = ReadonlyMap<string, Account | undefined>

/** Replaces each alias by a copy of its target, so that any node can be changed or removed. */
const expandAliases = (document: Document): void => {
  visit(document, {
    Alias: (_key, alias) => {
      const target = alias.resolve(document)
      const copy: unknown = target?.clone()
      return isNode(copy) ? copy : undefined
    },
  })
  visit(document, {
    Value: (_key, node) => {
      delete node.anchor
    },
  })
}

const openFlow = (node: unknown): void => {
  if (!isMap(node)) return
  node.flow = false
  for (const { key } of node.items) if (isScalar(key)) key.type = 'PLAIN'
}

/** The list under `users` as a block; creates it if there is none. */
const openList = (document: Document): YAMLSeq => {
  if (!isMap(document.contents)) document.contents = document.createNode({})
  openFlow(document.contents)
  const found = document.get('users', true)
  const list = isSeq(found) ? found : new YAMLSeq(document.schema)
  if (list !== found) document.set('users', list)
  if (list.flow) list.items.forEach(openFlow)
  list.flow = false
  return list
}

const editList = ({ document, accounts }: UsersDocument, changes: AccountChanges): void => {
  const list = openList(document)
  const kept: unknown[] = []
  let carried: string | null = null
  for (const [at, node] of list.items.entries()) {
    const from = accounts[at]
    const isChanged = from !== undefined && changes.has(from.email)
    const to = isChanged ? changes.get(from.email) : from
    if (from === undefined || to === undefined) {
      if (isNode(node)) carried = joinComments(carried, node.commentBefore)
      continue
    }
    const item = isChanged && !isMap(node) ? createUserNode(document, to) : node
    if (isChanged && isMap(item)) changeUserNode(document, item, { from, to })
    if (carried !== null && isNode(item)) {
      item.commentBefore = joinComments(carried, item.commentBefore)
      carried = null
    }
    kept.push(item)
  }
  list.comment = joinComments(carried, list.comment)
  const known = new Set(accounts.map(({ email }) => email))
  for (const [email, account] of changes) if (account && !known.has(email)) kept.push(createUserNode(document, account))
  list.items = kept
  if (kept.length === 0) list.flow = true
}

const attempt = (text: string, changes: AccountChanges, prepare: (document: Document) => void): string | undefined => {
  const parsed = parseUsersDocument(text)
  try {
    prepare(parsed.document)
    editList(parsed, changes)
    return parsed.document.toString({ lineWidth: 0 })
  } catch {
    // The library refuses to write an alias of a removed node.
    return undefined
  }
}

const holds = (text: string, expected: AccountMap): boolean => {
  try {
    const { accounts } = parseUsersDocument(text)
    return (
      accounts.length === expected.size && accounts.every((account) => isDeepStrictEqual(account, expected.get(account.email)))
    )
  } catch {
    return false
  }
}

/**
 * Rewrites the whole file from its YAML document, with `users` as a block sequence and comments kept. For styles that cannot be cut into
 * slices. Throws UsersFileFault if the result would not parse as `expected`.
 */
export const rewriteUsersText = (text: string, changes: AccountChanges, expected: AccountMap): string => {
  const source = text.replaceAll('\r\n', '\n')
  for (const prepare of [() => {}, expandAliases]) {
    const rewritten = attempt(source, changes, prepare)
    if (rewritten !== undefined && holds(rewritten, expected))
      return source === text ? rewritten : rewritten.replaceAll('\n', '\r\n')
  }
  throw new UsersFileFault({ summary: 'is written in a way that cannot be changed without losing something' })
}
