import type { Account } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { refuseBeyondOwn, refuseLastAdministrator } from '../account-rules.ts'
import { normalizeEmail } from '../email.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing, refuseStale } from './change-groups.ts'
import type { DecideChange } from './rehearse-change.ts'

/**
 * `AccountService.removeAccount`. The account's tokens die with it even where the token store is out of reach: a check looks the
 * account up by its `playerId`, which is never given twice.
 */
export const createAccountRemoval = (deps: AccountServiceDeps): AccountService['removeAccount'] => {
  const { accountStore, permissions, tokens, events, log } = deps
  return async (actor, text, ifMatch) => {
    const email = normalizeEmail(text)
    if (email === undefined) throw accountMissing()
    const decide: DecideChange<Account> = (before, context) => {
      if (before === undefined) throw accountMissing()
      refuseStale(before, ifMatch)
      const transition = { before, after: undefined }
      refuseBeyondOwn(permissions, actor.rules, transition)
      refuseLastAdministrator(context, transition)
      return { next: undefined, result: before, audit: auditAccount(deps, actor, 'account.delete', transition) }
    }
    const { playerId } = await accountStore.change(email, decide)
    await events.publish('account-removed', { playerId, email })
    await tokens
      .revokeAccount(playerId)
      .catch((error: unknown) =>
        log.warn({ err: error, playerId }, 'tokens of a removed account were not ended; they are refused'),
      )
  }
}
