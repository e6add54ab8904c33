import type { Account } from '../accounts/account.ts'

/** Somebody whom a provider let in. */
export type ProvenSignIn = {
  readonly account: Account
  readonly verified: boolean
}

export type OauthStart = {
  readonly redirectTo: string
  readonly browserSecret: string
}

/** A way of signing in, wired in by name at start-up. A method that a provider has no use for throws AppError `not-found`, slug `provider-mismatch`. */
export type AuthProvider = {
  readonly name: 'local' | 'oauth'
  /** Throws `unauthenticated` `invalid-credentials`, the same for an unknown email and a wrong password. */
  login(email: string, password: string, requestId: string): Promise<ProvenSignIn>
  /** Where to send the browser, and the secret that binds its answer to it. */
  oauthStartUrl(returnUrl: string): Promise<OauthStart>
  oauthCallback(query: {
    readonly code?: string
    readonly state?: string
    readonly browserSecret?: string
  }): Promise<ProvenSignIn & { readonly returnUrl: string }>
  /** `returnUrl` if it is on the list; else throws `invalid`. */
  oauthReturnUrl(returnUrl: string): string
}
