import type { Account } from '../account.ts'
import type { AccountChange, AccountContext, AccountStore } from '../store/account-store.ts'

export type DecideChange<R> = (current: Account | undefined, context: AccountContext) => AccountChange<R>

/** Stands for a hash that is yet to be made while a change is only rehearsed; of bcrypt's form, and matched by no password. */
export const hashToCome = `$2b$12$${'.'.repeat(53)}`

/** Runs `decide` on what is stored now and forgets what it asks for, so that it can refuse before a hash is paid for. */
export const rehearseChange = async (accountStore: AccountStore, email: string, decide: DecideChange<unknown>): Promise<void> => {
  const [current, administrators] = await Promise.all([accountStore.findByEmail(email), accountStore.listAdministrators()])
  decide(current, {
    administrators: new Set(administrators.map((account) => account.email)),
    isAdministrator: accountStore.isAdministrator,
  })
}
