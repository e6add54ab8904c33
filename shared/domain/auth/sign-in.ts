import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { RateLimiter } from '../../platform/limits/rate-limiter.ts'
import type { FailedSignInLog, FailedSignIns } from '../accounts/failed-sign-ins.ts'
import type { AccountService } from '../accounts/service/account-service.ts'
import type { SignInLog } from '../accounts/sign-in-log.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { PasswordHasher } from '../passwords/passwords.ts'
import type { SanctionsInForce } from '../sanctions/in-force/sanctions-in-force.ts'
import type { TokenGrant, TokenStore } from '../tokens/tokens.ts'
import type { Invitations } from './own-accounts/invitations.ts'
import type { RegistrationRequest } from './own-accounts/registration.ts'
import type { AuthProvider, LoginRequest, OauthAnswer, OauthStart } from './provider/provider.ts'
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
  readonly sanctionsInForce: Pick<SanctionsInForce, 'findBan'>
  readonly signInLog: SignInLog
  readonly failedSignIns: FailedSignInLog
  readonly audit: Pick<AuditLog, 'append'>
  readonly log: Pick<Log, 'warn'>
  readonly clock: Clock
  readonly ids: Ids
}

/** The answer to a renewal. */
export type Renewed = {
  readonly token: string
  readonly displayName: string
  readonly playerId: string
}

/** The answer to a new sign-in. */
export type SignedIn = Renewed & {
  /** The password matched the account's hash, or an identity provider vouched for the account. */
  readonly verified: boolean
  /** Wrong passwords since the last verified sign-in by password, where there were any. */
  readonly failed?: FailedSignIns
}

/** Where a sign-in comes from; limits are counted by it. */
type SignInOrigin = {
  readonly address: string
  readonly requestId: string
}

/**
 * What a request without a credential is counted as. The return from an identity provider has a count of its own, so that a sign-in
 * counts once.
 */
export type AttemptKind = 'sign-in-address' | 'sign-in-return'

/** Sign-in, renewal and logout over the provider that is wired in. */
export type SignInService = {
  /** Counts one request of an address, before anything of it is read; throws `limited` above `signInPerMinutePerAddress`. */
  countAttempt(kind: AttemptKind, address: string): Promise<void>
  /** Counts the pair of address and email: throws `limited` with a retry time, and what the provider throws. */
  login(email: string, password: string | undefined, origin: SignInOrigin & Pick<LoginRequest, 'displayName'>): Promise<SignedIn>
  /** Begins a sign-in at an identity provider; throws what that throws. */
  startOauth(returnUrl: string): Promise<OauthStart>
  /** Ends it, by what the browser brought back; the same. */
  endOauth(answer: OauthAnswer, requestId: string): Promise<SignedIn & { readonly returnUrl: string }>
  /** A new token as verified as `token`; throws `unauthenticated` for a dead one or twelve hours after the sign-in. */
  renew(token: string): Promise<Renewed>
  /** Kills the token and all of its sign-in, and announces it. */
  logout(token: string): Promise<void>
  /**
   * Sets the password of the account that `grant` is of, for who knows the one until now; every other sign-in ends. Throws `forbidden`
   * `wrong-password`, and `no-password` for an account that has none: its token proves nothing.
   */
  changePassword(
    grant: Pick<TokenGrant, 'playerId' | 'signInId'>,
    passwords: { readonly current: string; readonly next: string },
    origin: SignInOrigin,
  ): Promise<void>
  /**
   * Makes an account where `auth.local.registration` lets people; resolves alike whether the email had one. Throws `forbidden`
   * `registration-closed` and `invalid-invitation`, `conflict` `display-name-taken`.
   */
  register(request: RegistrationRequest, origin: SignInOrigin): Promise<void>
  /** Whether the server still waits for its first administrator. False, too, while the accounts cannot be read. */
  isUnclaimed(): Promise<boolean>
  /** A one-time secret that claims the administrator account; undefined while there is an administrator. */
  createClaim(): Promise<string | undefined>
  /** Throws `unauthenticated` `invalid-claim` or `conflict` `already-claimed`; the claim is used up only by success. */
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
