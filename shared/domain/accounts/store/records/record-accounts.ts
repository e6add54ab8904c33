import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../../kernel/closed-object.ts'
import { type Collection, createCollection, type Store, type Version } from '../../../../platform/storage/store.ts'
import { endMsOf } from '../../../permissions/account-grant.ts'
import { Account } from '../../account.ts'
import { nameKeyOf } from '../../names/name-skeleton.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Each account by its email. */
export const accountsByEmail = createCollection('accounts', Account)

/** Accounts with a grant that ends, by `endingId`: who is next. */
export const accountEndings = createCollection('account-grant-ends', ClosedObject({ email: Type.String() }))

/** As many digits as a date may have, so that they sort as the times do. */
const endingPrefix = (endMs: number): string => `${String(Math.max(0, Math.floor(endMs))).padStart(16, '0')}/`

/** Sorts by the first end of its grants; undefined for an account without one. */
export const endingId = ({ email, grants = [] }: Account): string | undefined => {
  const endMs = Math.min(...grants.map(endMsOf))
  return endMs === Number.POSITIVE_INFINITY ? undefined : `${endingPrefix(endMs)}${digest(email)}`
}

/** Some of those with a grant that is over at that time: one read where there is none. */
export const listEndedRecords = async (store: Pick<Store, 'list' | 'get'>, nowMs: number): Promise<readonly Account[]> => {
  const { records } = await store.list(accountEndings, { prefix: '', limit: 100 })
  const over = records.filter(({ id }) => id < endingPrefix(nowMs + 1))
  const found = await Promise.all(over.map(({ value }) => store.get(accountsByEmail, value.email)))
  return found.flatMap((record) => record?.value ?? [])
}

/** Each account once more by its playerId, which every request of a signed-in player asks for. */
export const accountsByPlayerId = createCollection('account-players', Account)

const AccountPointer = ClosedObject({ email: Type.String() })

/** Whose a subject is, by `subjectId`; it may have outlived that. */
export const accountSubjects = createCollection('account-subjects', AccountPointer)

/** A subject may be longer than the id of a record. */
export const subjectId = digest

/** The last one to take a name or one that is taken for it, by `nameKeyOf`; it may have outlived that. */
export const accountNames = createCollection('account-names', AccountPointer)

/** Who bears which name, by `bearerId`: several may. An entry may have outlived that. */
export const accountNameBearers = createCollection('account-name-bearers', AccountPointer)
export const bearerId = ({ email, displayName }: Account): string => `${nameKeyOf(displayName)}/${email}`

/** Who is in which groups, by `memberId`: whom to look at for administrators. An entry may have outlived that. */
export const accountMembers = createCollection('account-members', AccountPointer)

const groupsKey = (groups: readonly string[]): string => digest(JSON.stringify([...groups].sort()))

/** Begins the ids of all who are in these groups and no other. */
const membersPrefix = (groups: readonly string[]): string => `${groupsKey(groups)}/`
export const memberId = ({ email, groups }: Account): string => membersPrefix(groups) + email

/** Every set of groups that an account was ever in, by `groupSetId`. */
export const accountGroupSets = createCollection('account-group-sets', ClosedObject({ groups: Type.Array(Type.String()) }))
export const groupSetId = groupsKey

/** Written with every change; there is nothing in them but their versions. */
export const accountVersions = createCollection('account-versions', ClosedObject({}))

/** The version that a change of anybody who can administer moves. */
export const administratorsVersionId = 'administrators'

/** The version that other changes move: one of eight, so that those who change different accounts seldom meet. */
export const accountVersionId = (email: string): string => String((createHash('sha256').update(email).digest()[0] ?? 0) % 8)

/** More than the bytes that are left for an email in `memberId`: an account of such an email cannot be. */
const emailBytesMax = 512 - 44

/** Whether there can be an account of this email. */
export const canBeEmail = (email: string): boolean => {
  const bytes = Buffer.from(email, 'utf8')
  return bytes.length > 0 && bytes.length <= emailBytesMax && bytes.toString('utf8') === email
}

/** Who can administer, and the version that any change of them moves; `null` before the first. */
type Administrators = { readonly accounts: readonly Account[]; readonly version: Version | null }

/** An account in these groups that has all that it takes to sign in verified: nobody in them can administer if it cannot. */
const bestIn = (groups: readonly string[]): Account => ({
  email: 'nobody@example.com',
  playerId: '00000000-0000-4000-8000-000000000000',
  displayName: 'nobody',
  passwordHash: `$2b$12$${'.'.repeat(53)}`,
  subject: 'issuer|nobody',
  groups: [...groups],
  createdAt: '1970-01-01T00:00:00.000Z',
})

/** One who bears the name, or one that is taken for it, and `matches`: a read or two where the last to take it is such a one. */
export const findBearer = async (
  store: Store,
  displayName: string,
  matches: (account: Account) => boolean = () => true,
): Promise<Account | undefined> => {
  const key = nameKeyOf(displayName)
  const read = async (email: string): Promise<Account | undefined> => {
    const account = (await store.get(accountsByEmail, email))?.value
    return account !== undefined && nameKeyOf(account.displayName) === key && matches(account) ? account : undefined
  }
  const last = await store.get(accountNames, key)
  if (last === undefined) return undefined
  const found = await read(last.value.email)
  if (found !== undefined) return found
  for (const { email } of await listAll(store, accountNameBearers, `${key}/`)) {
    const bearer = await read(email)
    if (bearer !== undefined) return bearer
  }
  return undefined
}

/** All records of a collection that begin with `prefix`. */
const listAll = async <T>(store: Store, collection: Collection<T>, prefix = ''): Promise<readonly T[]> => {
  const values: T[] = []
  let cursor: string | undefined
  do {
    const page = await store.list(collection, { prefix, limit: 1000, ...(cursor !== undefined && { cursor }) })
    values.push(...page.records.map(({ value }) => value))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return values
}

/**
 * Finds who can administer without looking at everybody: only at those whose groups let somebody. Costs a read of the version and one of
 * the sets of groups. Then it costs one for each set that will do, and one for each account in those.
 */
export const readAdministrators = async (
  store: Store,
  isAdministrator: (account: Account) => boolean,
): Promise<Administrators> => {
  // The version first: what changes after it is found out by it.
  const version = (await store.get(accountVersions, administratorsVersionId))?.version ?? null
  const sets = (await listAll(store, accountGroupSets)).filter(({ groups }) => isAdministrator(bestIn(groups)))
  const members = await Promise.all(sets.map(({ groups }) => listAll(store, accountMembers, membersPrefix(groups))))
  const emails = [...new Set(members.flat().map(({ email }) => email))].sort()
  const records = await Promise.all(emails.map((email) => store.get(accountsByEmail, email)))
  return { version, accounts: records.flatMap((record) => record?.value ?? []).filter(isAdministrator) }
}
