import type { Collection, Store, Version } from '../../../storage/store.ts'
import type { Account } from '../../account.ts'
import {
  accountGroupSets,
  accountMembers,
  accountsByEmail,
  accountVersions,
  administratorsVersionId,
  membersPrefix,
} from './store-account-records.ts'

/** Who can administer, and the version that any change of them moves; `null` before the first. */
export type Administrators = { readonly accounts: readonly Account[]; readonly version: Version | null }

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
 * Finds who can administer without looking at everybody: only at those whose groups let somebody. Costs a read of the version and one
 * of the sets of groups, then one for each set that will do, then one for each account in those.
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
