import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isNode, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml'
import { Account } from '../../account.ts'

export type AccountChange = { readonly from: Account; readonly to: Account }

/** Comments one under another; null when there are none, as the library has it. */
export const joinComments = (...comments: readonly (string | null | undefined)[]): string | null =>
  comments.filter((comment) => comment).join('\n') || null

const commentsOf = (...nodes: readonly unknown[]): string | null =>
  joinComments(...nodes.flatMap((node) => (isNode(node) ? [node.commentBefore, node.comment] : [])))

/** Takes a key out; its comments stay, above the next one. */
const removeKey = (user: YAMLMap, key: string): void => {
  const at = user.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key)
  const [pair, next] = [user.items[at], user.items[at + 1]?.key]
  const comments = commentsOf(pair?.key, pair?.value)
  if (isNode(next)) next.commentBefore = joinComments(comments, next.commentBefore)
  else user.comment = joinComments(user.comment, comments)
  user.items.splice(at, 1)
}

const replaceItems = (document: Document, list: YAMLSeq, names: readonly unknown[]): void => {
  const nodes = new Map(list.items.flatMap((node) => (isScalar(node) ? [[node.value, node] as const] : [])))
  const gone = list.items.filter((node) => !isScalar(node) || !names.some((name) => name === node.value))
  list.items = names.map((name) => nodes.get(name) ?? document.createNode(name))
  list.comment = joinComments(commentsOf(...gone), list.comment)
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

/** Sets in `user` what differs between the account as read and as it shall be; the rest of the node, comments included, stays as it is. */
export const changeUserNode = (document: Document, user: YAMLMap, { from, to }: AccountChange): void => {
  for (const key of Object.keys(Account.properties)) {
    const after = readKey(to, key)
    if (isDeepStrictEqual(readKey(from, key), after)) continue
    if (after === undefined) removeKey(user, key)
    else if (Array.isArray(after)) setList(document, user, key, after)
    else setKey(document, user, key, after)
  }
}

/** An account as a node of its own: one key a line, a list on its line. */
export const createUserNode = (document: Document, account: Account) => {
  const user = document.createNode({ ...account })
  if (isMap(user)) for (const { value } of user.items) if (isSeq(value)) value.flow = true
  return user
}
