import { checkNewPassword } from '../../passwords/new-password.ts'
import { validatePassword } from '../../passwords/passwords.ts'
import { type Account, proveEmail } from '../account.ts'
import { parseDisplayName } from '../display-name.ts'
import { checkNewEmail, normalizeEmail, parseEmail } from '../email.ts'
import { refuseUnknownGroups } from '../who-may-grant.ts'
import type { AccountPatch, AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { accountMissing, alterAccount, decideAlteration } from './alter-account.ts'
import { hashToCome, rehearseChange } from './rehearse-change.ts'

const parsePatch = (patch: AccountPatch): Partial<Pick<Account, 'displayName' | 'email' | 'groups'>> => {
  if (patch.password !== undefined) validatePassword(patch.password)
  const email = patch.email === undefined ? undefined : parseEmail(patch.email)
  if (email !== undefined) checkNewEmail(email)
  return {
    ...(email === undefined ? {} : { email }),
    ...(patch.displayName === undefined ? {} : { displayName: parseDisplayName(patch.displayName) }),
    ...(patch.groups === undefined ? {} : { groups: [...new Set(patch.groups)] }),
  }
}

/**
 * `AccountService.updateAccount`. For a new password it first checks that tokens can be ended, and ends them once the password is stored.
 * Live sessions continue.
 */
export const createAccountUpdate = (deps: AccountServiceDeps): AccountService['updateAccount'] => {
  const { accountStore, permissions, passwords, tokens } = deps
  return async (actor, text, patch, ifMatch) => {
    const email = normalizeEmail(text)
    if (email === undefined) throw accountMissing()
    const changes = parsePatch(patch)
    const withPassword = await checkNewPassword(permissions, patch.password ?? '')
    const decide = (passwordHash?: string) =>
      decideAlteration(
        deps,
        actor,
        (current) => {
          refuseUnknownGroups(permissions, patch.groups ?? [], current.groups)
          // An administrator who sets a password vouches for the person who gets it.
          return passwordHash === undefined
            ? { ...current, ...changes }
            : withPassword({ ...proveEmail(current), ...changes }, passwordHash)
        },
        { ifMatch, force: patch.force },
      )
    if (patch.password === undefined) return alterAccount(deps, email, decide(), changes.email)
    await rehearseChange(accountStore, email, decide(hashToCome))
    await tokens.ping()
    const passwordHash = await passwords.hash(patch.password, actor.playerId)
    const updated = await alterAccount(deps, email, decide(passwordHash), changes.email)
    await tokens.revokeAccount(updated.playerId)
    return updated
  }
}
