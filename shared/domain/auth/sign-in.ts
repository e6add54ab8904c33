import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { RateLimiter } from '../../platform/limits/rate-limiter.ts'
import type { FailedSignInLog, FailedSignIns } from '../accounts/failed-sign-ins.ts'
import type { AccountService } from '../accounts/service/account-service.ts'
import type { NotedSignIn, SignInLog } from '../accounts/sign-in-log.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { PasswordHasher } from '../passwords/passwords.ts'
import type { ActiveSanctions } from '../sanctions/active/follow-sanctions.ts'
import { accountBanned } from '../sanctions/banned-error.ts'
import type { TokenGrant, TokenStore } from '../tokens/tokens.ts'
import type { Invitations } from './own-accounts/invitations.ts'
import type { RegistrationRequest } from './own-accounts/registration.ts'
import {
  type AuthProvider,
  invalidCredentials,
  type LoginRequest,
  type OauthAnswer,
  type OauthStart,
  type ProvenSignIn,
} from './provider/provider.ts'
import type { SignInSettings } from './sign-in-settings.ts'

export type SignInDeps = {
  readonly provider: AuthProvider
  readonly accounts: Pick<AccountService, 'claimAdministrator' | 'hasAdministrator' | 'register' | 'setOwnPassword'>
  readonly invitations: Pick<Invitations, 'redeem'>
  readonly accountStore: Pick<AccountStore, 'change' | 'findByEmail' | 'findByPlayerId'>
  readonly tokens: TokenStore
  readonly passwords: Pick<PasswordHasher, 'verify'>
  readonly limiter: Pick<RateLimiter, 'consume'>
  readonly configs: SignInSettings
  readonly events: Pick<EventBus, 'publish'>
  readonly activeSanctions: Pick<ActiveSanctions, 'findBan'>
  readonly signInLog: SignInLog
  readonly failedSignIns: FailedSignInLog
  readonly audit: Pick<AuditLog, 'append'>
  readonly log: Pick<Log, 'warn'>
  readonly clock: Clock
  readonly ids: Ids
}

/** The result of a renewal. */
type Renewed = {
  readonly token: string
  readonly displayName: string
  readonly playerId: string
}

/** The result of a new sign-in. */
type SignedIn = Renewed & {
  /** The password matched the account's hash, or an identity provider authenticated the account. */
  readonly verified: boolean
  /** Wrong passwords since the last verified sign-in with a password, if any. */
  readonly failed?: FailedSignIns
}

/** The origin of a sign-in, by which limits count. */
type SignInOrigin = {
  readonly address: string
  readonly requestId: string
}

/** The limit that a request without a credential counts against. The return from an identity provider has its own, so that a sign-in counts once. */
export type AttemptKind = 'sign-in-address' | 'sign-in-return'

/** Sign-in, renewal and logout over the active provider. */
export type SignInService = {
  /** Counts one request of an address before its body is read; throws `limited` above `signInPerMinutePerAddress`. */
  countAttempt(kind: AttemptKind, address: string): Promise<void>
  /** Counts the pair of address and email. Throws `limited` with a retry time, and the errors of the provider. */
  login(email: string, password: string | undefined, origin: SignInOrigin & Pick<LoginRequest, 'displayName'>): Promise<SignedIn>
  /** Starts a sign-in at an identity provider. Throws the errors of the provider. */
  startOauth(returnUrl: string): Promise<OauthStart>
  /** Completes it with the parameters that the browser brought back. Throws the errors of the provider. */
  endOauth(answer: OauthAnswer, requestId: string): Promise<SignedIn & { readonly returnUrl: string }>
  /** A new token, verified if `token` is. Throws `unauthenticated` for an ended token, or twelve hours after the sign-in. */
  renew(token: string): Promise<Renewed>
  /** Ends the sign-in of the token with all its tokens, and publishes the event. */
  logout(token: string): Promise<void>
  /**
   * Sets the password of the account of `grant` after checking the current one; every other sign-in ends. Throws `forbidden`
   * `wrong-password`, or `no-password` if the account has none.
   */
  changePassword(
    grant: Pick<TokenGrant, 'playerId' | 'signInId'>,
    passwords: { readonly current: string; readonly next: string },
    origin: SignInOrigin,
  ): Promise<void>
  /**
   * Creates an account if `auth.local.registration` permits it. Resolves even if the email already has one, so that it reveals nothing. Throws
   * `forbidden` `registration-closed` and `invalid-invitation`, `conflict` `display-name-taken`.
   */
  register(request: RegistrationRequest, origin: SignInOrigin): Promise<void>
  /** Whether the server has no administrator yet. False while the accounts cannot be read. */
  isUnclaimed(): Promise<boolean>
  /** A single-use secret for claiming the administrator account; undefined if there is an administrator. */
  createClaim(): Promise<string | undefined>
  /** Throws `unauthenticated` `invalid-claim` or `conflict` `already-claimed`. Only success uses up the claim. */
  claim(
    secret: string,
    input: {
      readonly email: string
      readonly password: string
      readonly displayName?: string
    },
    origin: SignInOrigin,
  ): Promise<SignedIn>
}

/** The account key that proved a verified sign-in. */
type Proof = 'passwordHash' | 'subject'

/**
 * Issues the first token of a sign-in. Refuses a verified sign-in if the account's password or subject has changed in the meantime.
 * That change ended the existing tokens, and this one would survive it. A banned account gets the reason here, after it has proven its identity.
 */
export const createAdmit =
  ({ accountStore, activeSanctions, tokens, signInLog, clock, ids }: SignInDeps) =>
  async ({ account, verified }: ProvenSignIn, proof: Proof = 'passwordHash'): Promise<SignedIn> => {
    const { email, playerId, displayName } = account
    const ban = activeSanctions.findBan(email)
    if (ban !== undefined) throw accountBanned(ban)
    const token = await tokens.issue({ playerId, verified, signInId: ids.uuid(), signedInAt: clock.now() })
    const letIn = async (by: NotedSignIn['by']): Promise<SignedIn> => {
      await signInLog.note(playerId, by)
      return { token, displayName, playerId, verified }
    }
    if (!verified) return letIn('email')
    const latest = await accountStore.findByEmail(email)
    if (latest?.playerId === playerId && latest[proof] === account[proof])
      return letIn(proof === 'subject' ? 'identity-provider' : 'password')
    await tokens.revoke(token)
    throw invalidCredentials()
  }
