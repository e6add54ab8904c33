import type { Store } from '../../../platform/storage/store.ts'
import type { Account } from '../account.ts'
import { nameKeyOf } from '../names/name-skeleton.ts'
import { listSignIns } from '../sign-in-log.ts'
import { encodeAccountCursor } from './account-pages.ts'
import type { AccountQuery, AccountStore } from './account-store.ts'

export type SeenAccount = {
  readonly account: Account
  /** The last sign-in; undefined if it never signed in, or only before sign-ins were recorded. */
  readonly lastSeenAt: string | undefined
  /** Equal for accounts whose names look alike. Only in lists of such accounts. */
  readonly nameKey?: string
}

export type SeenQuery = AccountQuery & {
  /** Only accounts that were created and last used before then. */
  readonly inactiveSinceMs?: number
  /** Only accounts with a name that looks like that of another account. */
  readonly sharesName?: boolean
}

type SeenPage = { readonly accounts: readonly SeenAccount[]; readonly nextCursor?: string }

/** Accounts that one page reads before it returns a partial result. */
const lookedAtMax = 2000

type Deps = { readonly accountStore: Pick<AccountStore, 'listAccounts' | 'findByName'>; readonly store: Pick<Store, 'get'> }

const isInactive = ({ account, lastSeenAt }: SeenAccount, sinceMs: number): boolean =>
  Date.parse(lastSeenAt ?? account.createdAt) < sinceMs

/** The accounts that share their name, with its key. */
const keepSharing = async ({ accountStore }: Deps, accounts: readonly SeenAccount[]): Promise<readonly SeenAccount[]> => {
  const sharing = await Promise.all(
    accounts.map(async (one) => {
      const { displayName, email } = one.account
      const other = await accountStore.findByName(displayName, email)
      return other === undefined ? [] : [{ ...one, nameKey: nameKeyOf(displayName) }]
    }),
  )
  return sharing.flat()
}

/**
 * A page of accounts with their last sign-ins. With `inactiveSinceMs` or `sharesName`, the page ends after 2,000 accounts, even if it is
 * empty, with a cursor to continue. Costs one read for each account, and with `sharesName` some more.
 */
export const listSeenAccounts = async (
  deps: Deps,
  { inactiveSinceMs, sharesName = false, ...query }: SeenQuery,
): Promise<SeenPage> => {
  const { accountStore, store } = deps
  const isNarrow = inactiveSinceMs !== undefined || sharesName
  const matches: SeenAccount[] = []
  let cursor = query.cursor
  for (let lookedAt = 0; ; ) {
    const page = await accountStore.listAccounts({ ...query, ...(cursor !== undefined && { cursor }) })
    const seen = await Promise.all(
      page.accounts.map(async (account) => ({ account, lastSeenAt: (await listSignIns(store, account.playerId))[0]?.at })),
    )
    lookedAt += seen.length
    const matching = inactiveSinceMs === undefined ? seen : seen.filter((one) => isInactive(one, inactiveSinceMs))
    for (const one of sharesName ? await keepSharing(deps, matching) : matching) {
      const last = matches.at(-1)
      if (last !== undefined && matches.length === query.limit)
        return { accounts: matches, nextCursor: encodeAccountCursor(last.account.email) }
      matches.push(one)
    }
    cursor = page.nextCursor
    if (cursor === undefined) return { accounts: matches }
    if (!isNarrow || lookedAt >= lookedAtMax) return { accounts: matches, nextCursor: cursor }
  }
}
