import { AppError } from '../../../kernel/errors.ts'
import type { Account } from '../../accounts/account.ts'

/** The single refusal of a sign-in. It does not reveal whether the email, the password or the account is wrong. */
export const invalidCredentials = (): AppError =>
  new AppError('unauthenticated', 'invalid-credentials', 'Email and password do not match an account that can sign in.')

/** The error for a sign-in method that the active provider does not support. */
export const providerMismatch = (inForce: string): AppError =>
  new AppError('not-found', 'provider-mismatch', `This server uses the sign-in provider "${inForce}". See /api/auth/config.`)

/** A successful sign-in at a provider. */
export type ProvenSignIn = {
  readonly account: Account
  readonly verified: boolean
}

/** Further input of a sign-in with email and password. */
export type LoginRequest = {
  readonly requestId: string
  /** The client's address; password checks queue by it. */
  readonly address: string
  /** Name for the account if this sign-in creates one. */
  readonly displayName?: string
}

/** A started sign-in at an identity provider. */
export type OauthStart = {
  readonly redirectTo: string
  /** Returned with the browser's answer. */
  readonly state: string
  /** Stored by the browser and sent with its answer, as proof that both come from one browser. */
  readonly browserSecret: string
}

/** The parameters that the browser brings back (RFC 6749, section 4.1.2; RFC 9207), and its stored secret. */
export type OauthAnswer = {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
  readonly browserSecret?: string | undefined
}

/** A way of signing in, selected by name. Unsupported methods throw AppError `not-found`, slug `provider-mismatch`. */
export type AuthProvider = {
  /** The value of `auth.provider` in `server.yaml`. */
  readonly name: string
  /**
   * Throws `unauthenticated` `invalid-credentials`, the same for an unknown email and a wrong password, and `invalid` if a required password
   * is missing. If it creates an account, it throws the errors of `AccountService.signUp`.
   */
  login(email: string, password: string | undefined, request: LoginRequest): Promise<ProvenSignIn>
  /** The address for the browser, and the secrets that bind its answer to it. Throws the errors of `oauthReturnUrl`. */
  oauthStartUrl(returnUrl: string): Promise<OauthStart>
  /** The account, and the address for the browser. Accepts each answer once, from the browser that started the sign-in. */
  oauthCallback(answer: OauthAnswer, requestId: string): Promise<ProvenSignIn & { readonly returnUrl: string }>
  /** `returnUrl` in its normal form if it is on the list; otherwise throws `invalid` `return-url-not-allowed`. */
  oauthReturnUrl(returnUrl: string): string
}
