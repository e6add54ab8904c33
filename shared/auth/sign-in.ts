import type { OauthAnswer, OauthStart } from './provider.ts'

/** What a sign-in answers. */
export type SignedIn = {
  readonly token: string
  readonly displayName: string
  readonly playerId: string
}

/** Where a sign-in comes from; limits are counted by it. */
type SignInOrigin = {
  readonly address: string
  readonly requestId: string
}

/** Sign-in, renewal and logout over the provider that is wired in. */
export type SignInService = {
  /** Throws `limited` with a retry time, and what the provider throws. */
  login(email: string, password: string, origin: SignInOrigin): Promise<SignedIn>
  /** Begins a sign-in at an identity provider. Throws `limited` with a retry time, and what the provider throws. */
  startOauth(returnUrl: string, origin: SignInOrigin): Promise<OauthStart>
  /** Ends it, by what the browser brought back; the same. */
  endOauth(answer: OauthAnswer, origin: SignInOrigin): Promise<SignedIn & { readonly returnUrl: string }>
  /** A new token as verified as `token`; throws `unauthenticated` for a dead one or twelve hours after the sign-in. */
  renew(token: string): Promise<SignedIn>
  /** Kills the token and all of its sign-in, and announces it. */
  logout(token: string): Promise<void>
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
