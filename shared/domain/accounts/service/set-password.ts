import { AppError } from '../../../kernel/errors.ts'
import { isCommonPassword } from '../../passwords/common-passwords.ts'
import { checkNewPassword, withPasswordHash } from '../../passwords/new-password.ts'
import { holdsAdministrative } from '../../permissions/decide-permission.ts'
import { proveEmail } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing } from './change-groups.ts'
import { type DecideChange, hashToCome, rehearseChange } from './rehearse-change.ts'

/** `AccountService.renewPassword`. */
export const createPasswordRenewal =
  ({ accountStore, permissions, passwords, events, log }: AccountServiceDeps): AccountService['renewPassword'] =>
  async (account, password, address) => {
    const isCommon = await isCommonPassword(password)
    try {
      const passwordHash = await passwords.hash(password, address)
      const renewed = await accountStore.change(account.email, (before) => {
        if (before?.playerId !== account.playerId || before.passwordHash !== account.passwordHash)
          return { next: before, result: undefined }
        const next = withPasswordHash(before, passwordHash, isCommon)
        return { next, result: next }
      })
      // Sessions that are open take it up.
      if (renewed !== undefined && renewed.passwordKind !== account.passwordKind)
        await events.publish('account-changed', { playerId: renewed.playerId, email: renewed.email })
      return renewed
    } catch (error) {
      // Its account would administer as long as nothing notes the password.
      if (isCommon && holdsAdministrative(permissions.rulesAnywhere(account))) throw error
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
    const withPassword = await checkNewPassword(permissions, next, pointer)
    const decide =
      (passwordHash: string): DecideChange<void> =>
      (before) => {
        if (before === undefined || before.playerId !== playerId) throw accountMissing()
        if (before.passwordHash !== account.passwordHash) throw changedMeanwhile()
        const after = withPassword(provesEmail ? proveEmail(before) : before, passwordHash)
        return { next: after, result: undefined, audit: auditAccount(deps, self, 'account.update', { before, after }) }
      }
    await rehearseChange(accountStore, email, decide(hashToCome))
    await tokens.ping()
    await accountStore.change(email, decide(await passwords.hash(next, address)))
    await tokens.revokeAccount(playerId, keptSignInId)
    await events.publish('account-changed', { playerId, email })
  }
}
