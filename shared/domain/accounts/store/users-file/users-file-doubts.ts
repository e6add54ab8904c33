import { describeHashFault } from '../../../passwords/password-hash.ts'
import type { Account } from '../../account.ts'
import { normalizeEmail } from '../../email.ts'
import { type AccountIndex, createAccountIndex } from '../account-index.ts'

/** Keys that warnings refer to. */
export type UserKey = 'email' | 'displayName' | 'passwordHash'

/** A warning about accounts that a file may have anyway. */
type Doubt = {
  readonly key: UserKey
  /** The accounts concerned, at most five. */
  readonly emails: readonly string[]
  /** How many more accounts are concerned. */
  readonly more: number
  readonly describe: (lines: Lines) => string
}

/** The line of a key of the account with this email. */
type Lines = (email: string, key: UserKey) => number

/** Warnings that are listed for a file; the rest are counted. */
const namedMax = 20
/** Lines listed in a warning. */
const listedMax = 5

const doubtHash = ({ email, passwordHash }: Account): Doubt | undefined => {
  const reason = passwordHash === undefined ? undefined : describeHashFault(passwordHash)
  if (reason === undefined) return undefined
  const describe = () => `this passwordHash can never match: ${reason}. Set a new password for the account.`
  return { key: 'passwordHash', emails: [email], more: 0, describe }
}

const beyondAscii = /[^\0-\x7f]/

const doubtEmail = ({ email }: Account, hasEmail: (email: string) => boolean): Doubt | undefined => {
  const other = beyondAscii.test(email) ? normalizeEmail(email) : undefined
  if (other === undefined || other === email || !hasEmail(other)) return undefined
  const describe = (lines: Lines) =>
    `these emails are the same address, and sign-in finds only the account at line ${lines(other, 'email')}. Delete one of the accounts, or change its email.`
  return { key: 'email', emails: [email, other], more: 0, describe }
}

const doubtNames = (accounts: readonly Account[]): Doubt => ({
  key: 'displayName',
  emails: accounts.slice(0, listedMax).map(({ email }) => email),
  more: Math.max(0, accounts.length - listedMax),
  describe: () => 'these accounts have the same display name, or names that look alike. Rename all but one.',
})

/** Yields each warning about the accounts, with `undefined` in between so that the caller can pause. */
export function* walkDoubts({ byEmail, byName }: AccountIndex): Generator<Doubt | undefined> {
  for (const account of byEmail.values()) {
    yield doubtHash(account)
    yield doubtEmail(account, (email) => byEmail.has(email))
  }
  for (const accounts of byName.values()) yield accounts.length > 1 ? doubtNames(accounts) : undefined
}

/** The warnings to list, and the number of further ones. */
type Doubts = { readonly named: readonly Doubt[]; readonly more: number }

export const collectDoubts = () => {
  const named: Doubt[] = []
  let more = 0
  return {
    add: (doubt: Doubt | undefined): void => {
      if (doubt === undefined) return
      if (named.length < namedMax) named.push(doubt)
      else more += 1
    },
    done: (): Doubts => ({ named, more }),
  }
}

const describeLines = (lines: readonly number[], more: number): string => {
  const parts = [...lines.map(String), ...(more > 0 ? [`${more} more`] : [])]
  const last = parts.pop() ?? ''
  return parts.length === 0 ? `line ${last}` : `lines ${parts.join(', ')} and ${last}`
}

/** One sentence for each warning, in the order of the file. Contains lines but no content of the file: `/readyz` is public. */
export const describeDoubts = ({ named, more }: Doubts, lineOf: Lines): readonly string[] => {
  const placed = named.map((doubt) => {
    const lines = doubt.emails.map((email) => lineOf(email, doubt.key)).sort((one, other) => one - other)
    return { first: lines[0] ?? 0, text: `users.yaml ${describeLines(lines, doubt.more)}: ${doubt.describe(lineOf)}` }
  })
  const texts = placed.sort((one, other) => one.first - other.first).map(({ text }) => text)
  return more === 0 ? texts : [...texts, `users.yaml has ${more} more accounts or names like these`]
}

/** The warnings about `accounts`; `lineOf` takes an index of that list. Blocks the thread. */
export const findDocumentWarnings = (
  accounts: readonly Account[],
  lineOf: (at: number, key: UserKey) => number,
): readonly string[] => {
  const places = new Map(accounts.map(({ email }, at) => [email, at]))
  const collected = collectDoubts()
  for (const doubt of walkDoubts(createAccountIndex(accounts))) collected.add(doubt)
  return describeDoubts(collected.done(), (email, key) => lineOf(places.get(email) ?? 0, key))
}
