import type { Account } from '../account.ts'
import type { AccountChange, AccountContext, AccountStore } from '../store/account-store.ts'

export type DecideChange<R> = (current: Account | undefined, context: AccountContext) => AccountChange<R>

/** Placeholder for the hash while a change is rehearsed. It has the form of bcrypt and matches no password. */
export const hashToCome = `$2b$12$${'.'.repeat(53)}`

/** Runs `decide` on the stored account and drops the result, so that a refusal does not cost a password hash. */
export const rehearseChange = async (accountStore: AccountStore, email: string, decide: DecideChange<unknown>): Promise<void> => {
  const [current, administrators] = await Promise.all([accountStore.findByEmail(email), accountStore.listAdministrators()])
  decide(current, {
    administrators: new Set(administrators.map((account) => account.email)),
    isAdministrator: accountStore.isAdministrator,
  })
}
