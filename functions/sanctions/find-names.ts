import { Type } from '@sinclair/typebox'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import { AppError } from '../../shared/kernel/errors.ts'

/** A moderator without `admin.users.read` cannot look names up. */
export const Names = Type.Record(Type.String(), Type.String(), {
  description: 'Display names by email, for the accounts in this answer.',
})

/** The display names of accounts by email. Empty while the accounts cannot be read: moderation must still work then. */
export const findNames = async (
  { accountStore }: { readonly accountStore: Pick<AccountStore, 'findByEmail'> },
  people: readonly (string | undefined)[],
): Promise<Record<string, string>> => {
  const emails = [...new Set(people)].filter((email) => email?.includes('@'))
  try {
    const accounts = await Promise.all(emails.map((email = '') => accountStore.findByEmail(email)))
    return Object.fromEntries(accounts.flatMap((account) => (account ? [[account.email, account.displayName]] : [])))
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unavailable') return {}
    throw error
  }
}
