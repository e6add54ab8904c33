import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isNode, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml'
import { Account } from './account.ts'

export type AccountChange = { readonly from: Account; readonly to: Account }

/** Comments one under another; null when there are none, as the library has it. */
export const joinComments = (...comments: readonly (string | null | undefined)[]): string | null =>
  comments.filter((comment) => comment).join('\n') || null

/** The comment above `node`, which is about to go. */
const commentAbove = (node: unknown): string | null | undefined => (isNode(node) ? node.commentBefore : undefined)

/** Takes a key out; the comment above it stays, above the next one. */
const removeKey = (user: YAMLMap, key: string): void => {
  const at = user.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key)
  const comment = commentAbove(user.items[at]?.key)
  const next = user.items[at + 1]?.key
  if (isNode(next)) next.commentBefore = joinComments(comment, next.commentBefore)
  else user.comment = joinComments(user.comment, comment)
  user.items.splice(at, 1)
}

const replaceItems = (document: Document, list: YAMLSeq, names: readonly string[]): void => {
  const nodes = new Map(list.items.flatMap((node) => (isScalar(node) ? [[node.value, node] as const] : [])))
  const gone = list.items.filter((node) => !isScalar(node) || !names.some((name) => name === node.value))
  list.items = names.map((name) => nodes.get(name) ?? document.createNode(name))
  list.comment = joinComments(...gone.map(commentAbove), list.comment)
  if (list.items.length === 0) list.flow = true
}

const setGroups = (document: Document, user: YAMLMap, names: readonly string[]): void => {
  const list = user.get('groups', true)
  if (isSeq(list) && list.items.length > 0) {
    replaceItems(document, list, names)
    return
  }
  const groups = document.createNode([...names], { flow: true })
  groups.comment = isNode(list) ? (list.comment ?? null) : null
  user.set('groups', groups)
}

const readKey = (account: Account, key: string): unknown => Object.entries(account).find(([name]) => name === key)?.[1]

/** Sets in `user` what differs between the account as read and as it shall be; the rest of the node, comments included, stays as it is. */
export const changeUserNode = (document: Document, user: YAMLMap, { from, to }: AccountChange): void => {
  for (const key of Object.keys(Account.properties)) {
    const after = readKey(to, key)
    if (isDeepStrictEqual(readKey(from, key), after)) continue
    if (after === undefined) removeKey(user, key)
    else if (key === 'groups') setGroups(document, user, to.groups)
    else user.set(key, after)
  }
}

/** An account as a node of its own: one key a line, its groups on theirs. */
export const createUserNode = (document: Document, account: Account) => {
  const user = document.createNode({ ...account })
  const groups: unknown = isMap(user) ? user.get('groups', true) : undefined
  if (isSeq(groups)) groups.flow = true
  return user
}
