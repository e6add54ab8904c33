/** The settings of `server.yaml` for sign-ins. */
export type SignInSettings = {
  get(name: 'server.yaml'): {
    readonly auth: { readonly local: { readonly registration: 'off' | 'invite' | 'open' } }
    readonly http: { readonly rateLimits: Readonly<Record<'signInPerMinutePerAccount' | 'signInPerMinutePerAddress', number>> }
  }
}
