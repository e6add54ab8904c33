import { type Document, isNode } from 'yaml'
import { composeYaml } from '../../../../platform/yaml/yaml-documents.ts'
import { readYamlTokens } from '../../../../platform/yaml/yaml-tokens.ts'
import type { Account } from '../../account.ts'
import { foldEmail } from '../../email.ts'
import { findDocumentWarnings, type UserKey } from './users-file-doubts.ts'
import { parseUserEntry } from './users-file-entry.ts'
import { UsersFileFault } from './users-file-fault.ts'

export type UsersDocument = {
  readonly document: Document
  /** In the order of the file. */
  readonly accounts: readonly Account[]
  /** The line, from 1, of a key of the account at that index of `accounts`. */
  readonly lineOf: (at: number, key: UserKey) => number
}

type Path = readonly (string | number)[]
type FaultAt = { readonly path: Path; readonly summary: string; readonly exact?: string }

/** The offset of the node at `path`, or of its nearest ancestor with a position. */
const findOffset = (document: Document, path: Path): number => {
  const node = path.length === 0 ? document.contents : document.getIn(path, true)
  if (isNode(node) && node.range) return node.range[0]
  return path.length === 0 ? 0 : findOffset(document, path.slice(0, -1))
}

const readPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

const isOtherwise = (key: string): boolean => key !== 'users'

/** The list under `users`, which may be absent or empty, or the fault around it. */
const readList = (value: unknown): readonly unknown[] | FaultAt => {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object' || Array.isArray(value)) return { path: [], summary: 'is not a mapping with the key "users"' }
  const unknown = Object.keys(value).find(isOtherwise)
  if (unknown !== undefined)
    return { path: [unknown], summary: 'has a key besides "users"', exact: `has the key "${unknown}" besides "users"` }
  const list: unknown = 'users' in value ? value.users : undefined
  if (list === null || list === undefined) return []
  return Array.isArray(list) ? list : { path: ['users'], summary: 'has a value other than a list under "users"' }
}

const describeEntryFault = (at: number, faults: readonly { readonly pointer?: string; readonly message: string }[]): FaultAt => {
  const [fault] = faults
  const keys = readPointer(fault?.pointer ?? '')
  const message = fault?.message ?? 'is not valid'
  const name = message === 'is not a known key' ? 'a key' : `"${keys[0] ?? 'users'}"`
  return {
    path: ['users', at, ...keys],
    summary: `has an account that breaks the schema (${name} ${message})`,
    exact: `users[${at}]${fault?.pointer ?? ''} ${message}`,
  }
}

const writtenEmail = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'email' in value && typeof value.email === 'string'
    ? foldEmail(value.email)
    : undefined

const readAccounts = (list: readonly unknown[]): readonly Account[] | FaultAt => {
  const seen = { email: new Map<string, number>(), playerId: new Map<string, number>(), subject: new Map<string, number>() }
  const accounts: Account[] = []
  const inOneForm = new Set(list.map(writtenEmail))
  for (const [at, value] of list.entries()) {
    const parsed = parseUserEntry(value)
    if (!parsed.ok) return describeEntryFault(at, parsed.faults)
    const written = writtenEmail(value)
    // Two accounts may have one email in two forms of its domain: the ASCII one is found by it, the other keeps the written form.
    if (written !== undefined && written !== parsed.value.email && inOneForm.has(parsed.value.email)) parsed.value.email = written
    for (const key of ['email', 'playerId', 'subject'] as const) {
      const value = parsed.value[key]
      if (value === undefined) continue
      const first = seen[key].get(value)
      if (first !== undefined)
        return {
          path: ['users', at, key],
          summary: `has two accounts with the same ${key}`,
          exact: `users[${first}] and users[${at}] have the same ${key}`,
        }
      seen[key].set(value, at)
    }
    accounts.push(parsed.value)
  }
  return accounts
}

const isFault = (value: readonly unknown[] | FaultAt): value is FaultAt => 'summary' in value

/** Parses a whole users file as YAML. Throws UsersFileFault with the first fault and its position. Blocks for about 0.1 ms per account. */
export const parseUsersDocument = (text: string): UsersDocument => {
  const read = readYamlTokens(text)
  const faultAt = (offset: number, summary: string, exact?: string) => {
    const { line, col } = read.lines.linePos(offset)
    return new UsersFileFault({ summary, exact, line, column: col })
  }
  if ('reason' in read) throw faultAt(read.endedAt, read.reason)
  const [document, second] = composeYaml(read.tokens, text.length, {})
  const [error] = document.errors
  if (error) throw faultAt(error.pos[0], 'is not valid YAML', `is not valid YAML: ${error.code} ${error.message}`)
  if (second) throw faultAt(second.range[0], 'is not valid YAML', 'is not valid YAML: it holds more than one document')
  const readValue = (): unknown => {
    try {
      return document.toJS()
    } catch (cause) {
      throw faultAt(0, 'uses too many aliases', String(cause))
    }
  }
  const list = readList(readValue())
  const accounts = isFault(list) ? list : readAccounts(list)
  if (isFault(accounts)) throw faultAt(findOffset(document, accounts.path), accounts.summary, accounts.exact)
  return { document, accounts, lineOf: (at, key) => read.lines.linePos(findOffset(document, ['users', at, key])).line }
}

/** Accounts, and warnings about them with their lines. */
export type ReadAccounts = { readonly accounts: readonly Account[]; readonly warnings: readonly string[] }

/** The accounts of `parseUsersDocument` with their warnings; throws the same errors. */
export const readUsersDocument = (text: string): ReadAccounts => {
  const { accounts, lineOf } = parseUsersDocument(text)
  return { accounts, warnings: findDocumentWarnings(accounts, lineOf) }
}
