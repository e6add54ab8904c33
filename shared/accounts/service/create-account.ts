import { validatePassword } from '../../auth/passwords/passwords.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Account } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { refuseBeyondOwn, refuseUnknownGroups } from '../account-rules.ts'
import { defaultDisplayName, parseDisplayName } from '../display-name.ts'
import { checkNewEmail, parseEmail } from '../email.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { type DecideChange, hashToCome, rehearseChange } from './rehearse-change.ts'

/** `AccountService.createAccount`. Groups that are not named are the default ones, which may not exist. */
export const createAccountCreation = (deps: AccountServiceDeps): AccountService['createAccount'] => {
  const { accountStore, permissions, passwords, events, clock, ids } = deps
  return async (actor, input) => {
    const { password } = input
    const email = parseEmail(input.email)
    checkNewEmail(email)
    const displayName = input.displayName === undefined ? defaultDisplayName(email) : parseDisplayName(input.displayName)
    if (password !== undefined) validatePassword(password)
    refuseUnknownGroups(permissions, input.groups ?? [], [])
    const account: Account = {
      email,
      playerId: ids.uuid(),
      displayName,
      groups: [...new Set(input.groups ?? permissions.defaultGroups())],
      createdAt: new Date(clock.now()).toISOString(),
    }
    const decide =
      (passwordHash: string | undefined): DecideChange<Account> =>
      (current) => {
        if (current !== undefined) throw new AppError('conflict', 'already-exists', 'An account with that email exists already.')
        const after = passwordHash === undefined ? account : { ...account, passwordHash }
        refuseBeyondOwn(permissions, actor.rules, { before: undefined, after })
        return { next: after, result: after, audit: auditAccount(deps, actor, 'account.create', { before: undefined, after }) }
      }
    if (password !== undefined) await rehearseChange(accountStore, email, decide(hashToCome))
    const passwordHash = password === undefined ? undefined : await passwords.hash(password)
    const created = await accountStore.change(email, decide(passwordHash))
    await events.publish('account-changed', { playerId: created.playerId, email })
    return created
  }
}
