import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../kernel/errors.ts'
import type { Account } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { normalizeEmail } from '../email.ts'
import { refuseBeyondOwn, refuseLastAdministrator } from '../who-may-grant.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing, refuseStale } from './alter-account.ts'
import { type DecideChange, rehearseChange } from './rehearse-change.ts'

/** An attempt fails only if another writer changes the account. */
const attemptsMax = 20

/**
 * `AccountService.removeAccount`. Stores the complete account for 30 days first, for undo. Its tokens are refused even if the token
 * store is unreachable: each check looks up the `playerId`, which is never used again.
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
      // Another writer changed the account after it was copied: try again.
      if (kept !== undefined && !isDeepStrictEqual(kept, before)) return { next: before, result: undefined }
      return {
        next: undefined,
        result: before,
        audit: auditAccount(deps, actor, 'account.delete', transition),
        // Two opposite merges at once cannot delete both accounts.
        ...(actor.mergedInto !== undefined && { needs: actor.mergedInto }),
      }
    }

  const removeKept = async (email: string, actor: Parameters<AccountService['removeAccount']>[0], ifMatch?: string) => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      // Check first, so that no copy is stored of an account that may not be removed.
      await rehearseChange(accountStore, email, decideOn(undefined, actor, ifMatch))
      const account = await accountStore.findByEmail(email)
      if (account === undefined) throw accountMissing()
      await deletedAccounts.keep(account)
      const removed = await accountStore.change(email, decideOn(account, actor, ifMatch))
      if (removed !== undefined) return removed
    }
    throw new AppError('unavailable', 'service-unavailable', 'Too many changes to this account at once. Try again in a moment.', {
      retryAfterSeconds: 1,
    })
  }

  return async (actor, text, ifMatch) => {
    const email = normalizeEmail(text)
    if (email === undefined) throw accountMissing()
    const { playerId } = await removeKept(email, actor, ifMatch)
    await events.publish('account-removed', { playerId, email })
    await tokens
      .endAccount(playerId)
      .catch((error: unknown) =>
        log.warn({ err: error, playerId }, 'could not end the tokens of a removed account; they are refused'),
      )
  }
}
