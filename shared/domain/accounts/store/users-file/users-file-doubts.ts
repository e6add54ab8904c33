import { describeHashFault } from '../../../passwords/password-hash.ts'
import type { Account } from '../../account.ts'
import { normalizeEmail } from '../../email.ts'
import { type AccountNames, createNames } from '../account-names.ts'

/** Keys of an account that warnings point at. */
export type UserKey = 'email' | 'displayName' | 'passwordHash'

/** What is wrong with accounts that a file may have all the same. */
type Doubt = {
  readonly key: UserKey
  /** Of the accounts that it is about, a few of them when there are many. */
  readonly emails: readonly string[]
  /** Accounts that it is about, besides. */
  readonly more: number
  readonly describe: (lines: Lines) => string
}

/** Lines by email, and what a key of that account begins at. */
type Lines = (email: string, key: UserKey) => number

/** Warnings of one file that are named; the others are counted. */
const namedMax = 20
/** Lines that one warning names. */
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
    `these emails are one address, and sign-in finds the account at line ${lines(other, 'email')} only. Delete one of the accounts, or change its email.`
  return { key: 'email', emails: [email, other], more: 0, describe }
}

const doubtNames = (emails: readonly string[], count: number): Doubt => ({
  key: 'displayName',
  emails,
  more: count - emails.length,
  describe: () => 'these accounts have the same display name, or names that look alike. Rename all but one.',
})

/** Each doubt about the accounts of `names`, with `undefined` between, so that the caller can pause. */
export function* walkDoubts(names: AccountNames, hasEmail: (email: string) => boolean): Generator<Doubt | undefined> {
  let [skeleton, emails, count]: [string | undefined, string[], number] = [undefined, [], 0]
  for (const { key, account } of names) {
    yield doubtHash(account)
    yield doubtEmail(account, hasEmail)
    const own = key.slice(0, key.length - account.email.length - 2)
    if (own !== skeleton) {
      if (count > 1) yield doubtNames(emails, count)
      ;[skeleton, emails, count] = [own, [], 0]
    }
    count += 1
    if (emails.length < listedMax) emails.push(account.email)
  }
  if (count > 1) yield doubtNames(emails, count)
}

/** Those that are described, and the number of the others. */
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

/** One sentence for each doubt, in the order of the file, with nothing out of it but lines: `/readyz` shows them to everybody. */
export const describeDoubts = ({ named, more }: Doubts, lineOf: Lines): readonly string[] => {
  const placed = named.map((doubt) => {
    const lines = doubt.emails.map((email) => lineOf(email, doubt.key)).sort((one, other) => one - other)
    return { first: lines[0] ?? 0, text: `users.yaml ${describeLines(lines, doubt.more)}: ${doubt.describe(lineOf)}` }
  })
  const texts = placed.sort((one, other) => one.first - other.first).map(({ text }) => text)
  return more === 0 ? texts : [...texts, `users.yaml has ${more} more accounts or names like these`]
}

/** The warnings about `accounts`, whose lines `lineOf` knows by their places in the list; it blocks. */
export const findDocumentWarnings = (
  accounts: readonly Account[],
  lineOf: (at: number, key: UserKey) => number,
): readonly string[] => {
  const places = new Map(accounts.map(({ email }, at) => [email, at]))
  const collected = collectDoubts()
  for (const doubt of walkDoubts(createNames(accounts), (email) => places.has(email))) collected.add(doubt)
  return describeDoubts(collected.done(), (email, key) => lineOf(places.get(email) ?? 0, key))
}
