import type { Store } from '../../../platform/storage/store.ts'
import type { Account } from '../account.ts'
import { listSignIns } from '../sign-in-log.ts'
import { encodeAccountCursor } from './account-pages.ts'
import type { AccountQuery, AccountStore } from './account-store.ts'

/** An account with its last sign-in; undefined if it never signed in, or only before sign-ins were recorded. */
export type SeenAccount = { readonly account: Account; readonly lastSeenAt: string | undefined }

type SeenPage = { readonly accounts: readonly SeenAccount[]; readonly nextCursor?: string }

/** Accounts that one page reads before it returns a partial result. */
const lookedAtMax = 2000

type Deps = { readonly accountStore: Pick<AccountStore, 'listAccounts'>; readonly store: Pick<Store, 'get'> }

const isInactive = ({ account, lastSeenAt }: SeenAccount, sinceMs: number): boolean =>
  Date.parse(lastSeenAt ?? account.createdAt) < sinceMs

/**
 * A page of accounts with their last sign-ins. With `inactiveSinceMs`, only accounts created and last used before then. The page ends
 * after 2,000 accounts, even if it is empty, with a cursor to continue. Costs one read for each account.
 */
export const listSeenAccounts = async (
  { accountStore, store }: Deps,
  { inactiveSinceMs, ...query }: AccountQuery & { readonly inactiveSinceMs?: number },
): Promise<SeenPage> => {
  const matches: SeenAccount[] = []
  let cursor = query.cursor
  for (let lookedAt = 0; ; ) {
    const page = await accountStore.listAccounts({ ...query, ...(cursor !== undefined && { cursor }) })
    const seen = await Promise.all(
      page.accounts.map(async (account) => ({ account, lastSeenAt: (await listSignIns(store, account.playerId))[0]?.at })),
    )
    lookedAt += seen.length
    for (const one of seen) {
      if (inactiveSinceMs !== undefined && !isInactive(one, inactiveSinceMs)) continue
      const last = matches.at(-1)
      if (last !== undefined && matches.length === query.limit)
        return { accounts: matches, nextCursor: encodeAccountCursor(last.account.email) }
      matches.push(one)
    }
    cursor = page.nextCursor
    if (cursor === undefined) return { accounts: matches }
    if (inactiveSinceMs === undefined || lookedAt >= lookedAtMax) return { accounts: matches, nextCursor: cursor }
  }
}
