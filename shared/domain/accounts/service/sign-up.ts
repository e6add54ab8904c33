import { createAuditEntry } from '../../audit/audit-entry.ts'
import { checkNewPassword } from '../../passwords/new-password.ts'
import { validatePassword } from '../../passwords/passwords.ts'
import { builtInAdmin } from '../../permissions/groups-config.ts'
import { type Account, proveEmail } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { alreadyClaimed } from '../already-claimed.ts'
import { defaultDisplayName, parseDisplayName } from '../display-name.ts'
import { checkNewEmail, parseEmail } from '../email.ts'
import { claimName, displayNameTaken, refuseReservedName } from '../names/display-name-taken.ts'
import { withFreeName } from '../names/free-name.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import type { Altered } from './alter-account.ts'
import { grantedGroups } from './mapped-groups.ts'
import { type DecideChange, hashToCome, rehearseChange } from './rehearse-change.ts'

const newAccount = ({ permissions, clock, ids }: AccountServiceDeps, email: string): Account => ({
  email,
  playerId: ids.uuid(),
  displayName: defaultDisplayName(email),
  groups: [...permissions.defaultGroups()],
  createdAt: new Date(clock.now()).toISOString(),
})

/** `AccountService.signUp`. */
export const createSignUp = (deps: AccountServiceDeps): AccountService['signUp'] => {
  const { accountStore, events } = deps
  return async (text, requestId, chosen) => {
    const email = parseEmail(text)
    const self = { email, via: 'http', requestId } as const
    const change = (displayName: string) =>
      accountStore.change<Altered>(email, (before) => {
        if (before !== undefined) return { next: before, result: { account: before, changed: false } }
        checkNewEmail(email)
        const fresh: Account = { ...newAccount(deps, email), displayName, emailProof: 'none' }
        const audit = auditAccount(deps, self, 'account.create', { before, after: fresh })
        return { next: fresh, result: { account: fresh, changed: true }, audit, ...claimName(before, fresh) }
      })
    const { account, changed } =
      chosen === undefined
        ? await withFreeName(deps.ids, defaultDisplayName(email), change)
        : await change(parseDisplayName(chosen))
    if (changed) await events.publish('account-changed', { playerId: account.playerId, email })
    return account
  }
}

/** Whether the account comes from a sign-in with an unproven email, and an administrator has given it nothing since. */
const isUnclaimed = (permissions: AccountServiceDeps['permissions'], account: Account): boolean => {
  const { emailProof, passwordHash, subject, grants, groups } = account
  const given = permissions.defaultGroups()
  return (
    emailProof !== undefined &&
    passwordHash === undefined &&
    subject === undefined &&
    grants === undefined &&
    groups.every((name) => given.includes(name))
  )
}

/** `AccountService.register`. An email with an account takes the same steps, including the write, so that timing reveals nothing. */
export const createRegister = (deps: AccountServiceDeps): AccountService['register'] => {
  const { accountStore, passwords, permissions, tokens, events } = deps
  return async ({ email: text, password, address, displayName: chosen, groups, checkHeld }, requestId) => {
    const email = parseEmail(text)
    // For existing accounts too.
    checkNewEmail(email)
    const named = chosen === undefined ? undefined : parseDisplayName(chosen)
    validatePassword(password)
    if (named !== undefined) {
      refuseReservedName(named)
      if ((await accountStore.findByName(named)) !== undefined) throw displayNameTaken()
    }
    // An administrator vouches for the invited person.
    const isInvited = checkHeld !== undefined
    if (isInvited) await tokens.ping()
    const known = permissions.assignableGroups()
    const held = groups?.every((name) => known.includes(name)) ? groups : permissions.defaultGroups()
    // For existing accounts too.
    const withPassword = await checkNewPassword(permissions, password)
    withPassword({ groups: held }, hashToCome)
    const passwordHash = await passwords.hash(password, address)
    const self = { email, via: 'http', requestId } as const
    const change = (displayName: string) =>
      accountStore.change<Altered>(email, (before) => {
        if (before !== undefined && isInvited && isUnclaimed(permissions, before)) {
          checkHeld?.()
          const taken = withPassword({ ...proveEmail(before), groups: [...held] }, passwordHash)
          const audit = auditAccount(deps, self, 'account.link', { before, after: taken })
          return { next: taken, result: { account: taken, changed: true }, audit }
        }
        if (before !== undefined) {
          const audit = createAuditEntry(deps, self, {
            action: 'account.register-again',
            target: email,
            before: null,
            after: null,
          })
          return { next: before, result: { account: before, changed: false }, audit }
        }
        checkHeld?.()
        const account = withPassword({ ...newAccount(deps, email), displayName, groups: [...held] }, passwordHash)
        const fresh: Account = isInvited ? account : { ...account, emailProof: 'none' }
        const audit = auditAccount(deps, self, 'account.create', { before, after: fresh })
        return { next: fresh, result: { account: fresh, changed: true }, audit, ...claimName(before, fresh) }
      })
    const { account, changed } =
      named === undefined ? await withFreeName(deps.ids, defaultDisplayName(email), change) : await change(named)
    // Sign-ins made without proof of the email end.
    if (changed && isInvited) await tokens.revokeAccount(account.playerId)
    if (changed) await events.publish('account-changed', { playerId: account.playerId, email })
    return changed
  }
}

/** The account without its identity at a provider and the groups mapped from it. */
const withoutSubject = (account: Account): Account => {
  const { subject: _, mappedGroups: __, claimedGroups: ___, emailProof: ____, ...rest } = account
  return { ...rest, groups: [...grantedGroups(account)] }
}

/** `AccountService.claimAdministrator`. It creates the account, or promotes an existing one and ends its tokens. */
export const createAdministratorClaim = (deps: AccountServiceDeps): AccountService['claimAdministrator'] => {
  const { accountStore, passwords, tokens, events } = deps
  return async (input, requestId) => {
    const email = parseEmail(input.email)
    const chosen = input.displayName === undefined ? undefined : parseDisplayName(input.displayName)
    validatePassword(input.password)
    const withPassword = await checkNewPassword(deps.permissions, input.password)
    const fresh = newAccount(deps, email)
    const self = { email, via: 'http', requestId } as const
    const decide =
      (passwordHash: string, freeName: string): DecideChange<Account> =>
      (before, { administrators, isAdministrator }) => {
        if (administrators.size > 0) throw alreadyClaimed()
        if (before === undefined) checkNewEmail(email)
        // Anyone may have signed in under that email unverified. The claim must not make them an administrator.
        const account = withoutSubject(before ?? fresh)
        const raised: Account = { ...account, displayName: chosen ?? before?.displayName ?? freeName, passwordHash }
        const joined = { ...raised, groups: [...new Set([...account.groups, builtInAdmin.name])] }
        // Another group may take away what `admin` grants. The claim must still create an administrator.
        const chief = isAdministrator(joined) ? joined : { ...raised, groups: [builtInAdmin.name] }
        const after = withPassword(chief, passwordHash)
        const audit = auditAccount(deps, self, 'account.claim', { before, after })
        return { next: after, result: after, audit, ...claimName(before, after) }
      }
    await rehearseChange(accountStore, email, decide(hashToCome, 'free'))
    const passwordHash = await passwords.hash(input.password, input.address)
    const change = (freeName: string) => accountStore.change(email, decide(passwordHash, freeName))
    const account = chosen === undefined ? await withFreeName(deps.ids, fresh.displayName, change) : await change(chosen)
    await events.publish('account-changed', { playerId: account.playerId, email })
    await tokens.revokeAccount(account.playerId)
    return account
  }
}
