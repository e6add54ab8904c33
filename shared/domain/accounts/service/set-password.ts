import { AppError } from '../../../kernel/errors.ts'
import { isCommonPassword } from '../../passwords/common-passwords.ts'
import { checkNewPassword, withPasswordHash } from '../../passwords/new-password.ts'
import { holdsAdministrative } from '../../permissions/decide-permission.ts'
import { proveEmail } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing } from './alter-account.ts'
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
      // Open sessions apply the change.
      if (renewed !== undefined && renewed.passwordKind !== account.passwordKind)
        await events.publish('account-changed', { playerId: renewed.playerId, email: renewed.email })
      return renewed
    } catch (error) {
      // An unnoted common password would leave the account its `admin.` permissions.
      if (isCommon && holdsAdministrative(permissions.rulesAnywhere(account))) throw error
      log.warn({ err: error, playerId: account.playerId }, 'could not renew the hash of a password; the old hash stays valid')
      return undefined
    }
  }

const changedMeanwhile = () =>
  new AppError('conflict', 'conflict', 'The account was changed at the same moment. Sign in and try again.')

/**
 * `AccountService.setOwnPassword`. Checks first that tokens can be ended, and ends them before it announces the change, so that nodes that
 * receive the event find them ended.
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
