import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { AccountService } from '../service/account-service.ts'
import type { AccountStore } from '../store/account-store.ts'

export type SweepGrantsDeps = {
  readonly accounts: Pick<AccountService, 'endGrants'>
  readonly accountStore: Pick<AccountStore, 'listEnded'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** Removes ended grants from their accounts, once; never rejects. Ended grants have no effect even before they are removed. */
export const sweepGrants = async ({ accounts, accountStore, clock, log }: SweepGrantsDeps): Promise<void> => {
  try {
    for (const { email } of await accountStore.listEnded(clock.now())) await accounts.endGrants(email)
  } catch (error) {
    log.warn({ err: error }, 'could not remove ended grants from their accounts; they have no effect')
  }
}
