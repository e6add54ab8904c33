import { AppError } from '../../../kernel/errors.ts'
import type { Account } from '../account.ts'
import { emailIncludes } from '../email.ts'
import type { AccountIndex } from './account-index.ts'
import type { AccountPage, AccountQuery } from './account-store.ts'

/** Distinguishes a cursor from other text: a hand-written email may have any form. */
const cursorMark = 'after '
/** The cursor of a page that ends with the account of this email. */
export const encodeAccountCursor = (email: string): string => Buffer.from(cursorMark + email).toString('base64url')

/** The email in a cursor, even if its account no longer exists. Throws AppError `invalid` with the pointer `/cursor` for any other text. */
export const decodeAccountCursor = (cursor: string): string => {
  const text = Buffer.from(cursor, 'base64url').toString()
  const email = text.slice(cursorMark.length)
  if (text.startsWith(cursorMark) && encodeAccountCursor(email) === cursor) return email
  throw new AppError('invalid', 'bad-request', 'The cursor is not one that the list of accounts returned.', {
    errors: [{ pointer: '/cursor', message: 'must be the nextCursor of the previous page' }],
  })
}

/** The number of accounts at or before `email`, by bisection. */
const countUpTo = (sorted: readonly Account[], email: string): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle]?.email ?? '') <= email) low = middle + 1
    else high = middle
  }
  return low
}

/** One page of `index`; implements `AccountStore.listAccounts`. */
export const pageAccounts = (index: AccountIndex, { text, limit, cursor }: AccountQuery): AccountPage => {
  const sorted = index.sorted()
  const first = cursor === undefined ? 0 : countUpTo(sorted, decodeAccountCursor(cursor))
  const folded = text?.normalize('NFC').toLowerCase() ?? ''
  const accounts: Account[] = []
  for (let at = first; at < sorted.length; at++) {
    const account = sorted[at]
    if (account === undefined) break
    if (!emailIncludes(account.email, folded) && !account.displayName.toLowerCase().includes(folded)) continue
    const last = accounts.at(-1)
    if (accounts.length === limit && last) return { accounts, nextCursor: encodeAccountCursor(last.email) }
    accounts.push(account)
  }
  return { accounts }
}
