import { AppError } from '../../../kernel/errors.ts'
import { checkNewPassword } from '../../passwords/new-password.ts'
import { validatePassword } from '../../passwords/passwords.ts'
import type { Account } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { defaultDisplayName, parseDisplayName } from '../display-name.ts'
import { checkNewEmail, parseEmail } from '../email.ts'
import { claimName } from '../names/display-name-taken.ts'
import { withFreeName } from '../names/free-name.ts'
import { refuseBeyondOwn, refuseUnknownGroups } from '../who-may-grant.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { type DecideChange, hashToCome, rehearseChange } from './rehearse-change.ts'

/** `AccountService.createAccount`. Without named groups it uses the default ones, which need not exist. */
export const createAccountCreation = (deps: AccountServiceDeps): AccountService['createAccount'] => {
  const { accountStore, permissions, passwords, events, clock, ids } = deps
  return async (actor, input) => {
    const { password } = input
    const email = parseEmail(input.email)
    checkNewEmail(email)
    const chosen = input.displayName === undefined ? undefined : parseDisplayName(input.displayName)
    if (password !== undefined) validatePassword(password)
    const withPassword = await checkNewPassword(permissions, password ?? '')
    refuseUnknownGroups(permissions, input.groups ?? [], [])
    const account: Account = {
      email,
      playerId: ids.uuid(),
      displayName: chosen ?? defaultDisplayName(email),
      groups: [...new Set(input.groups ?? permissions.defaultGroups())],
      createdAt: new Date(clock.now()).toISOString(),
    }
    const decide =
      (passwordHash: string | undefined, displayName: string): DecideChange<Account> =>
      (current) => {
        if (current !== undefined) throw new AppError('conflict', 'already-exists', 'An account with that email already exists.')
        const named = { ...account, displayName }
        refuseBeyondOwn(permissions, actor.rules, { before: undefined, after: named })
        const after = passwordHash === undefined ? named : withPassword(named, passwordHash)
        const audit = auditAccount(deps, actor, 'account.create', { before: undefined, after })
        return { next: after, result: after, audit, ...claimName(undefined, after, input) }
      }
    // Without a chosen name, `withFreeName` finds one below.
    if (password !== undefined) await rehearseChange(accountStore, email, decide(hashToCome, chosen ?? 'free'))
    const passwordHash = password === undefined ? undefined : await passwords.hash(password, actor.playerId)
    const change = (displayName: string) => accountStore.change(email, decide(passwordHash, displayName))
    const created = chosen === undefined ? await withFreeName(ids, account.displayName, change) : await change(chosen)
    await events.publish('account-changed', { playerId: created.playerId, email })
    return created
  }
}
