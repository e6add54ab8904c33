import { AppError } from '../../../kernel/errors.ts'
import type { Account } from '../../accounts/account.ts'

/** The one refusal of a sign-in: it does not say whether the email, the password or the account was at fault. */
export const invalidCredentials = (): AppError =>
  new AppError('unauthenticated', 'invalid-credentials', 'Email and password do not match an account that can sign in.')

/** For a way of signing in that the provider in force does not have. */
export const providerMismatch = (inForce: string): AppError =>
  new AppError(
    'not-found',
    'provider-mismatch',
    `This server signs people in by the provider "${inForce}"; see /api/auth/config.`,
  )

/** Somebody whom a provider let in. */
export type ProvenSignIn = {
  readonly account: Account
  readonly verified: boolean
}

/** What comes along with email and password. */
export type LoginRequest = {
  readonly requestId: string
  /** The client's address: checks of passwords queue by it. */
  readonly address: string
  /** Of the account that this sign-in makes, where it makes one. */
  readonly displayName?: string
}

/** A sign-in elsewhere that has begun. */
export type OauthStart = {
  readonly redirectTo: string
  /** Comes back with the browser's answer. */
  readonly state: string
  /** Kept by the browser until then, and shown with that answer: it proves that both are of one browser. */
  readonly browserSecret: string
}

/** What the browser brings back (RFC 6749, section 4.1.2; RFC 9207), and what it kept. */
export type OauthAnswer = {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
  readonly browserSecret?: string | undefined
}

/** A way of signing in, wired in by name at start-up. A method that a provider has no use for throws AppError `not-found`, slug `provider-mismatch`. */
export type AuthProvider = {
  /** As `auth.provider` of `server.yaml` names it. */
  readonly name: string
  /**
   * Throws `unauthenticated` `invalid-credentials`, the same for an unknown email and a wrong password; `invalid` where a password is
   * asked for and none was sent; where it makes an account, what `AccountService.signUp` throws.
   */
  login(email: string, password: string | undefined, request: LoginRequest): Promise<ProvenSignIn>
  /** Where to send the browser, and what binds its answer to it. Throws what `oauthReturnUrl` throws. */
  oauthStartUrl(returnUrl: string): Promise<OauthStart>
  /** Who came back, and where to send them; each answer counts once, from the browser that began. */
  oauthCallback(answer: OauthAnswer, requestId: string): Promise<ProvenSignIn & { readonly returnUrl: string }>
  /** `returnUrl` in its normal form if it is on the list; else throws `invalid` `return-url-not-allowed`. */
  oauthReturnUrl(returnUrl: string): string
}
