import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isNode, isScalar, isSeq, visit, YAMLSeq } from 'yaml'
import type { Account } from '../../account.ts'
import type { AccountMap } from '../account-map.ts'
import { parseUsersDocument, type UsersDocument } from './users-file-document.ts'
import { UsersFileFault } from './users-file-fault.ts'
import { changeUserNode, createUserNode, joinComments } from './users-file-node.ts'

export type AccountChanges = ReadonlyMap<string, Account | undefined>

/** Puts what each alias stands for in its place, so that anything may be changed or go. */
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

/** The list under `users` as a block, made when there is none. */
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
    // The library refuses to write an alias of something that is gone.
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
 * The whole file written anew from its YAML document, `users` as a block sequence, comments kept: for styles that cannot be cut into
 * slices. Throws UsersFileFault when the result would not read as `expected`.
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
