import { AppError } from '../../kernel/errors.ts'
import { auditAccount } from '../account-audit.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing } from './change-groups.ts'
import { type DecideChange, hashToCome, rehearseChange } from './rehearse-change.ts'

const changedMeanwhile = () =>
  new AppError('conflict', 'conflict', 'The account was changed at the same moment; sign in again and repeat.')

/**
 * `AccountService.setOwnPassword`. Whether tokens can be ended is asked first. They are ended before the change is announced: a node
 * that hears of it finds them ended.
 */
export const createOwnPasswordChange = (deps: AccountServiceDeps): AccountService['setOwnPassword'] => {
  const { accountStore, passwords, tokens, events } = deps
  return async ({ account, next, address, requestId, keptSignInId }) => {
    const { email, playerId } = account
    const self = { email, via: 'http', requestId } as const
    const decide =
      (passwordHash: string): DecideChange<void> =>
      (before) => {
        if (before === undefined || before.playerId !== playerId) throw accountMissing()
        if (before.passwordHash !== account.passwordHash) throw changedMeanwhile()
        const after = { ...before, passwordHash }
        return { next: after, result: undefined, audit: auditAccount(deps, self, 'account.update', { before, after }) }
      }
    await rehearseChange(accountStore, email, decide(hashToCome))
    await tokens.ping()
    await accountStore.change(email, decide(await passwords.hash(next, address)))
    await tokens.revokeAccount(playerId, keptSignInId)
    await events.publish('account-changed', { playerId, email })
  }
}
