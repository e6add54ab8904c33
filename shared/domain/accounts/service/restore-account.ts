import { AppError } from '../../../kernel/errors.ts'
import type { Account } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { normalizeEmail } from '../email.ts'
import { refuseBeyondOwn, refuseUnknownGroups } from '../who-may-grant.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing, alterAccount, decideAlteration } from './alter-account.ts'

/** `AccountService.restoreAccount`. Ends tokens that survived the deletion before it restores the account. */
export const createAccountRestoration = (deps: AccountServiceDeps): AccountService['restoreAccount'] => {
  const { accountStore, deletedAccounts, permissions, tokens, events, log } = deps
  return async (actor, playerId, { force = false } = {}) => {
    const account = await deletedAccounts.find(playerId)
    if (account === undefined)
      throw new AppError(
        'unprocessable',
        'not-undoable',
        'Deleted accounts are kept for 30 days. This one can no longer be restored.',
      )
    refuseBeyondOwn(permissions, actor.rules, { before: undefined, after: account })
    await tokens.endAccount(playerId)
    const { email } = account
    await accountStore.change(email, (current) => {
      if (current !== undefined) throw new AppError('conflict', 'already-exists', 'An account with that email already exists.')
      const audit = auditAccount(deps, actor, 'account.create', { before: undefined, after: account })
      // Not `claimName`: the account may keep a name that became reserved later.
      return { next: account, result: undefined, audit, ...(!force && { ownName: true as const }) }
    })
    await events.publish('account-changed', { playerId, email })
    await deletedAccounts
      .forget(playerId)
      .catch((error: unknown) => log.warn({ err: error, playerId }, 'could not drop the deleted copy of a restored account'))
    return account
  }
}

/** `AccountService.putBack`. */
export const createPuttingBack =
  (deps: AccountServiceDeps): AccountService['putBack'] =>
  async (actor, text, { email: to, displayName, groups, grants = [] }, options) => {
    const email = normalizeEmail(text)
    if (email === undefined) throw accountMissing()
    const alter = ({ grants: _, ...current }: Account): Account => {
      refuseUnknownGroups(deps.permissions, groups, current.groups)
      return {
        ...current,
        email: to ?? current.email,
        displayName,
        groups: [...groups],
        ...(grants.length > 0 && { grants: [...grants] }),
      }
    }
    return alterAccount(deps, email, decideAlteration(deps, actor, alter, options), to)
  }
