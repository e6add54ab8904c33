import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../kernel/errors.ts'
import { type Account, proveEmail } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { defaultDisplayName, parseDisplayName } from '../display-name.ts'
import { canBeNewEmail, newEmailBytesMax, normalizeEmail } from '../email.ts'
import { claimName } from '../names/display-name-taken.ts'
import { withFreeName } from '../names/free-name.ts'
import type { AccountContext } from '../store/account-store.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { applyMappedClaim, type MappedClaim } from './mapped-groups.ts'
import type { DecideChange } from './rehearse-change.ts'

/** A person that an identity provider has authenticated. */
export type VouchedIdentity = {
  /** Stable at the provider and never reused for another person. */
  readonly subject: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  readonly displayName: string | undefined
  /** Undefined if no claim is mapped to groups. */
  readonly claim: MappedClaim | undefined
  /** False: the sign-in is refused, and an existing account only loses groups that are no longer mapped. */
  readonly isWelcome: boolean
}

type Outcome = {
  readonly account: Account
  readonly action?: 'account.create' | 'account.link' | 'account.update'
  readonly wasLastAdministrator: boolean
}

/** The same message for every reason, so that it does not reveal whether the email has an account. */
const notAllowed = (why: string) =>
  new AppError('forbidden', 'account-not-allowed', 'That account may not sign in here. Ask an administrator of this server.', {
    cause: new Error(why),
  })

const notMapped = () => notAllowed('no value of the groups claim is mapped, and denyUnmapped is set')

const noEmail = () =>
  new AppError(
    'forbidden',
    'account-not-allowed',
    'The identity provider sent no email address, which this server needs. Allow it there and sign in again.',
    { cause: new Error('the identity provider sent no email') },
  )

const asciiOf = (text: string): string => text.replaceAll(/[^\0-\x7f]/g, '').toLowerCase()

const localOf = (email: string): string => email.slice(0, email.lastIndexOf('@'))

/**
 * Lower case turns some other letters into ASCII ones, such as U+212A, the Kelvin sign: the verified email would differ from ours.
 * A domain has one form, whichever letters it is written in.
 */
const isVerifiedAs = (email: string, identity: VouchedIdentity): boolean => {
  const claimedEmail = identity.email?.trim() ?? ''
  if (!identity.emailVerified) return false
  if (!email.includes('xn--')) return asciiOf(claimedEmail) === asciiOf(email)
  return normalizeEmail(claimedEmail) === email && asciiOf(localOf(claimedEmail)) === asciiOf(localOf(email))
}

/**
 * The account without `emailProof` if its identity provider has verified the email. Also drops `passwordKind`, which does not matter
 * for a sign-in without a password; the next sign-in with the password sets it again.
 */
const noteProof = ({ passwordKind: _, ...account }: Account, identity: VouchedIdentity): Account => {
  if (account.emailProof === undefined || !isVerifiedAs(account.email, identity)) return account
  const { emailProof: __, ...proven } = account
  return proven
}

const attemptsMax = 5

/** The name as far as it fits; if nothing of it fits, the local part of the email. */
const displayNameFor = (name: string | undefined, email: string): string => {
  try {
    return parseDisplayName([...(name ?? '').trim()].slice(0, 32).join(''))
  } catch {
    return defaultDisplayName(email)
  }
}

const isLastAdministrator = ({ administrators, isAdministrator }: AccountContext, before: Account, after: Account): boolean =>
  administrators.has(before.email) && !isAdministrator(after) && administrators.size === 1

/** Whether the sign-in changes nothing, so that it needs no write. */
const isSettled = (known: Account, identity: VouchedIdentity): boolean =>
  identity.isWelcome && isDeepStrictEqual(known, applyMappedClaim(noteProof(known, identity), identity.claim))

/**
 * `AccountService.signInVouched`. Finds the account by subject, whatever its email. Otherwise links the account with the same verified
 * email, or creates one.
 */
export const createVouchedSignIn = (deps: Omit<AccountServiceDeps, 'deletedAccounts' | 'isBanned' | 'moveSanctions'>) => {
  const { accountStore, permissions, tokens, events, clock, ids, log } = deps

  const create = (email: string, identity: VouchedIdentity): Account => ({
    email,
    playerId: ids.uuid(),
    displayName: displayNameFor(identity.displayName, email),
    groups: [...permissions.defaultGroups()],
    subject: identity.subject,
    ...(!isVerifiedAs(email, identity) && { emailProof: 'none' as const }),
    createdAt: new Date(clock.now()).toISOString(),
  })

  /** The account of the identity before its groups are mapped; undefined if another sign-in was faster. */
  const choose = (before: Account | undefined, email: string, identity: VouchedIdentity, isKnown: boolean) => {
    if (before?.subject === identity.subject) return { account: noteProof(before, identity), action: 'account.update' as const }
    if (isKnown) return undefined
    if (!identity.isWelcome) throw notMapped()
    if (before === undefined) {
      if (!canBeNewEmail(email)) throw notAllowed(`the email has more than ${newEmailBytesMax} bytes`)
      return { account: create(email, identity), action: 'account.create' as const }
    }
    const isTakenOver = before.emailProof !== undefined && isVerifiedAs(email, identity)
    if (before.subject !== undefined && !isTakenOver) throw notAllowed('the account of that email is bound to another identity')
    if (!isVerifiedAs(email, identity)) throw notAllowed('there is an account of that email, which is not verified there')
    const { passwordKind: _, ...proven } = proveEmail(before)
    return { account: { ...proven, subject: identity.subject }, action: 'account.link' as const }
  }

  const decide =
    (email: string, identity: VouchedIdentity, isKnown: boolean, requestId: string): DecideChange<Outcome | undefined> =>
    (before, context) => {
      const chosen = choose(before, email, identity, isKnown)
      if (chosen === undefined) return { next: before, result: undefined }
      const after = applyMappedClaim(chosen.account, identity.claim)
      if (isDeepStrictEqual(before, after)) return { next: before, result: { account: after, wasLastAdministrator: false } }
      const self = { email, via: 'http', requestId, verified: after.emailProof === undefined } as const
      const wasLastAdministrator = before !== undefined && isLastAdministrator(context, before, after)
      const isSeen = chosen.action !== 'account.update' || !isDeepStrictEqual(before?.groups, after.groups)
      if (!isSeen) return { next: after, result: { account: after, wasLastAdministrator } }
      return {
        next: after,
        result: { account: after, action: chosen.action, wasLastAdministrator },
        audit: auditAccount(deps, self, chosen.action, { before, after }),
        ...claimName(before, after),
      }
    }

  const announce = async ({ account, action, wasLastAdministrator }: Outcome): Promise<void> => {
    const { playerId, email } = account
    if (wasLastAdministrator)
      log.warn(
        { playerId },
        'the identity provider removed the rights of the last administrator; restart to get a link to claim them',
      )
    if (action === undefined) return
    // Sign-ins made without proof, while passwords were off, end.
    if (action === 'account.link') await tokens.revokeAccount(playerId)
    await events.publish('account-changed', { playerId, email })
  }

  return async (identity: VouchedIdentity, requestId: string): Promise<Account> => {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const known = await accountStore.findBySubject(identity.subject)
      if (known !== undefined && isSettled(known, identity)) return known
      const email = known?.email ?? normalizeEmail(identity.email ?? '')
      if (email === undefined) throw identity.isWelcome ? noEmail() : notMapped()
      // Link an account only if its tokens can be ended: the next sign-in would find it already linked.
      if (known === undefined) await tokens.ping()
      try {
        // Anyone can use an administrator's name at the provider, so a new account gets a free name.
        const outcome = await withFreeName(ids, displayNameFor(identity.displayName, email), (displayName) =>
          accountStore.change(email, decide(email, { ...identity, displayName }, known !== undefined, requestId)),
        )
        if (outcome === undefined) continue
        await announce(outcome)
        if (!identity.isWelcome) throw notMapped()
        return outcome.account
      } catch (error) {
        // Another sign-in of the same subject with another email was faster; the next attempt finds its account.
        const isTaken = error instanceof AppError && error.kind === 'conflict' && error.slug === 'already-exists'
        if (!isTaken) throw error
      }
    }
    throw new AppError('unavailable', 'service-unavailable', 'Too many changes to this account at once. Try again in a moment.', {
      retryAfterSeconds: 1,
    })
  }
}
