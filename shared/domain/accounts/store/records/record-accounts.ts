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

/** Accounts with a temporary grant, by `endingId`, next end first. */
export const accountEndings = createCollection('account-grant-ends', ClosedObject({ email: Type.String() }))

/** Padded to the digits of the latest date, so that ids sort by time. */
const endingPrefix = (endMs: number): string => `${String(Math.max(0, Math.floor(endMs))).padStart(16, '0')}/`

/** Sorts by the first end of the account's grants; undefined without one. */
export const endingId = ({ email, grants = [] }: Account): string | undefined => {
  const endMs = Math.min(...grants.map(endMsOf))
  return endMs === Number.POSITIVE_INFINITY ? undefined : `${endingPrefix(endMs)}${digest(email)}`
}

/** Some of the accounts with a grant that has ended at `nowMs`. One read if there are none. */
export const listEndedRecords = async (store: Pick<Store, 'list' | 'get'>, nowMs: number): Promise<readonly Account[]> => {
  const { records } = await store.list(accountEndings, { prefix: '', limit: 100 })
  const over = records.filter(({ id }) => id < endingPrefix(nowMs + 1))
  const found = await Promise.all(over.map(({ value }) => store.get(accountsByEmail, value.email)))
  return found.flatMap((record) => record?.value ?? [])
}

/** A copy of each account by playerId, which every request of a signed-in player reads. */
export const accountsByPlayerId = createCollection('account-players', Account)

const AccountPointer = ClosedObject({ email: Type.String() })

/** The account of each subject, by `subjectId`; an entry may be outdated. */
export const accountSubjects = createCollection('account-subjects', AccountPointer)

/** A hash, because a subject may be longer than the id of a record. */
export const subjectId = digest

/** The last account to take a name or a look-alike, by `nameKeyOf`; an entry may be outdated. */
export const accountNames = createCollection('account-names', AccountPointer)

/** All accounts with each name, by `bearerId`; an entry may be outdated. */
export const accountNameBearers = createCollection('account-name-bearers', AccountPointer)
export const bearerId = ({ email, displayName }: Account): string => `${nameKeyOf(displayName)}/${email}`

/** The accounts in each set of groups, by `memberId`, to find administrators. An entry may be outdated. */
export const accountMembers = createCollection('account-members', AccountPointer)

export const groupSetId = (groups: readonly string[]): string => digest(JSON.stringify([...groups].sort()))

/** The prefix of the ids of all accounts in exactly these groups. */
const membersPrefix = (groups: readonly string[]): string => `${groupSetId(groups)}/`
export const memberId = ({ email, groups }: Account): string => membersPrefix(groups) + email

/** Every set of groups that an account was ever in, by `groupSetId`. */
export const accountGroupSets = createCollection('account-group-sets', ClosedObject({ groups: Type.Array(Type.String()) }))

/** Written with every change; only their versions matter. */
export const accountVersions = createCollection('account-versions', ClosedObject({}))

/** The version that changes of administrators increment. */
export const administratorsVersionId = 'administrators'

/** The version that other changes increment: one of eight, so that changes of different accounts rarely conflict. */
export const accountVersionId = (email: string): string => String((createHash('sha256').update(email).digest()[0] ?? 0) % 8)

/** The bytes left for an email in `memberId`; no account can have a longer one. */
const emailBytesMax = 512 - 44

/** Whether an account can have this email. */
export const canBeEmail = (email: string): boolean => {
  const bytes = Buffer.from(email, 'utf8')
  return bytes.length > 0 && bytes.length <= emailBytesMax && bytes.toString('utf8') === email
}

/** The administrators, and the version that any change of them increments; `null` before the first. */
type Administrators = { readonly accounts: readonly Account[]; readonly version: Version | null }

/** A test account in these groups that can sign in verified. If it cannot administer, no account in the groups can. */
const bestIn = (groups: readonly string[]): Account => ({
  email: 'nobody@example.com',
  playerId: '00000000-0000-4000-8000-000000000000',
  displayName: 'nobody',
  passwordHash: `$2b$12$${'.'.repeat(53)}`,
  subject: 'issuer|nobody',
  groups: [...groups],
  createdAt: '1970-01-01T00:00:00.000Z',
})

/** An account that `matches` and has the name or a look-alike. Costs one or two reads if the last to take the name matches. */
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

/** All records of a collection whose ids begin with `prefix`. */
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
 * The administrators, found through their groups rather than by a scan of all accounts. Costs a read of the version, one of the sets of
 * groups, one for each set that can administer, and one for each account in those.
 */
export const readAdministrators = async (
  store: Store,
  isAdministrator: (account: Account) => boolean,
): Promise<Administrators> => {
  // Read the version first, so that it detects any later change.
  const version = (await store.get(accountVersions, administratorsVersionId))?.version ?? null
  const sets = (await listAll(store, accountGroupSets)).filter(({ groups }) => isAdministrator(bestIn(groups)))
  const members = await Promise.all(sets.map(({ groups }) => listAll(store, accountMembers, membersPrefix(groups))))
  const emails = [...new Set(members.flat().map(({ email }) => email))].sort()
  const records = await Promise.all(emails.map((email) => store.get(accountsByEmail, email)))
  return { version, accounts: records.flatMap((record) => record?.value ?? []).filter(isAdministrator) }
}
