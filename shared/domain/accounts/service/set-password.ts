import { AppError } from '../../../kernel/errors.ts'
import { checkCommonPassword } from '../../passwords/refuse-common-password.ts'
import { proveEmail } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing } from './change-groups.ts'
import { type DecideChange, hashToCome, rehearseChange } from './rehearse-change.ts'

/** `AccountService.renewPassword`. */
export const createPasswordRenewal =
  ({ accountStore, passwords, log }: AccountServiceDeps): AccountService['renewPassword'] =>
  async (account, password, address) => {
    try {
      const passwordHash = await passwords.hash(password, address)
      return await accountStore.change(account.email, (before) => {
        if (before?.playerId !== account.playerId || before.passwordHash !== account.passwordHash)
          return { next: before, result: undefined }
        const next = { ...before, passwordHash }
        return { next, result: next }
      })
    } catch (error) {
      log.warn({ err: error, playerId: account.playerId }, 'a password could not be hashed anew; its old hash counts')
      return undefined
    }
  }

const changedMeanwhile = () =>
  new AppError('conflict', 'conflict', 'The account was changed at the same moment; sign in again and repeat.')

/**
 * `AccountService.setOwnPassword`. Whether tokens can be ended is asked first. They are ended before the change is announced: a node
 * that hears of it finds them ended.
 */
export const createOwnPasswordChange = (deps: AccountServiceDeps): AccountService['setOwnPassword'] => {
  const { accountStore, permissions, passwords, tokens, events } = deps
  return async ({ account, next, address, requestId, keptSignInId, pointer, provesEmail = false }) => {
    const { email, playerId } = account
    const verified = provesEmail || account.emailProof === undefined
    const self = { email, via: 'http', requestId, verified } as const
    const refuseCommon = await checkCommonPassword(permissions, next, pointer)
    const decide =
      (passwordHash: string): DecideChange<void> =>
      (before) => {
        if (before === undefined || before.playerId !== playerId) throw accountMissing()
        if (before.passwordHash !== account.passwordHash) throw changedMeanwhile()
        refuseCommon(before)
        const after = { ...(provesEmail ? proveEmail(before) : before), passwordHash }
        return { next: after, result: undefined, audit: auditAccount(deps, self, 'account.update', { before, after }) }
      }
    await rehearseChange(accountStore, email, decide(hashToCome))
    await tokens.ping()
    await accountStore.change(email, decide(await passwords.hash(next, address)))
    await tokens.revokeAccount(playerId, keptSignInId)
    await events.publish('account-changed', { playerId, email })
  }
}
