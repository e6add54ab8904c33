import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../kernel/errors.ts'
import type { Account } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { refuseBeyondOwn, refuseLastAdministrator } from '../account-rules.ts'
import { normalizeEmail } from '../email.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing, refuseStale } from './change-groups.ts'
import { type DecideChange, rehearseChange } from './rehearse-change.ts'

/** Each lost attempt is another writer's success. */
const attemptsMax = 20

/**
 * `AccountService.removeAccount`. The account is kept whole for 30 days first, so that it can be taken back. Its tokens die with it, even
 * where the token store is out of reach: a check looks up the `playerId`, which nobody else is ever given.
 */
export const createAccountRemoval = (deps: AccountServiceDeps): AccountService['removeAccount'] => {
  const { accountStore, deletedAccounts, permissions, tokens, events, log } = deps

  const decideOn =
    (kept: Account | undefined, actor: Parameters<AccountService['removeAccount']>[0], ifMatch?: string) =>
    (before: Account | undefined, context: Parameters<DecideChange<unknown>>[1]) => {
      if (before === undefined) throw accountMissing()
      refuseStale(before, ifMatch, deps.clock.now())
      const transition = { before, after: undefined }
      refuseBeyondOwn(permissions, actor.rules, transition)
      refuseLastAdministrator(context, transition, deps.isBanned)
      // What is kept is what goes: somebody changed it in between.
      if (kept !== undefined && !isDeepStrictEqual(kept, before)) return { next: before, result: undefined }
      return { next: undefined, result: before, audit: auditAccount(deps, actor, 'account.delete', transition) }
    }

  const removeKept = async (email: string, actor: Parameters<AccountService['removeAccount']>[0], ifMatch?: string) => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      // Nothing is kept of what may not go.
      await rehearseChange(accountStore, email, decideOn(undefined, actor, ifMatch))
      const account = await accountStore.findByEmail(email)
      if (account === undefined) throw accountMissing()
      await deletedAccounts.keep(account)
      const removed = await accountStore.change(email, decideOn(account, actor, ifMatch))
      if (removed !== undefined) return removed
    }
    throw new AppError('unavailable', 'service-unavailable', 'The account is being changed all the time.', {
      retryAfterSeconds: 1,
    })
  }

  return async (actor, text, ifMatch) => {
    const email = normalizeEmail(text)
    if (email === undefined) throw accountMissing()
    const { playerId } = await removeKept(email, actor, ifMatch)
    await events.publish('account-removed', { playerId, email })
    await tokens
      .revokeAccount(playerId)
      .catch((error: unknown) =>
        log.warn({ err: error, playerId }, 'tokens of a removed account were not ended; they are refused'),
      )
  }
}
