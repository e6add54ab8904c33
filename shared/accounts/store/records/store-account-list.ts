import type { Store } from '../../../storage/store.ts'
import { cursorAfter } from '../../../storage/store-rules.ts'
import type { Account } from '../../account.ts'
import { decodeAccountCursor, encodeAccountCursor } from '../account-index.ts'
import type { AccountPage, AccountQuery } from '../account-store.ts'
import { accountsByEmail, canBeEmail } from './store-account-records.ts'

/** Accounts that a query for a text looks at before it answers with what it has. */
const lookedAtMax = 5000
const pageMax = 1000

/**
 * One page of accounts, by the UTF-8 bytes of their emails. A text is looked for in one account after the other: after 5,000 the page
 * ends, perhaps empty, with a cursor to go on.
 */
export const listStoredAccounts = async (store: Store, { text, limit, cursor }: AccountQuery): Promise<AccountPage> => {
  const after = cursor === undefined ? undefined : decodeAccountCursor(cursor)
  const wanted = text?.toLowerCase() ?? ''
  const matches = ({ email, displayName }: Account) => email.includes(wanted) || displayName.toLowerCase().includes(wanted)
  const found: Account[] = []
  let next = after === undefined || !canBeEmail(after) ? undefined : cursorAfter(after)
  for (let lookedAt = 0; ; ) {
    const page = await store.list(accountsByEmail, {
      limit: wanted === '' ? limit + 1 - found.length : pageMax,
      ...(next !== undefined && { cursor: next }),
    })
    found.push(...page.records.map(({ value }) => value).filter(matches))
    lookedAt += page.records.length
    next = page.nextCursor
    if (found.length > limit) break
    if (next === undefined) return { accounts: found }
    const last = page.records.at(-1)
    if (lookedAt >= lookedAtMax && last !== undefined) return { accounts: found, nextCursor: encodeAccountCursor(last.id) }
  }
  const accounts = found.slice(0, limit)
  const last = accounts.at(-1)
  return last === undefined ? { accounts } : { accounts, nextCursor: encodeAccountCursor(last.email) }
}
