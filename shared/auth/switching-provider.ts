import type { AuthProvider } from './provider/provider.ts'

export type SwitchingProviderDeps = {
  readonly providers: Readonly<Record<string, AuthProvider>>
  /** `auth.provider` as it is in force now. */
  readonly inForce: () => string
}

/** Whichever of `providers` is in force at each call, so that a reload of the config switches it. */
export const createSwitchingProvider = ({ providers, inForce }: SwitchingProviderDeps): AuthProvider => {
  const current = (): AuthProvider => {
    const name = inForce()
    const provider = Object.hasOwn(providers, name) ? providers[name] : undefined
    if (provider === undefined) throw new Error(`no provider named "${name}" is wired in`)
    return provider
  }
  return {
    get name() {
      return current().name
    },
    login: async (email, password, requestId) => current().login(email, password, requestId),
    oauthStartUrl: async (returnUrl) => current().oauthStartUrl(returnUrl),
    oauthCallback: async (answer, requestId) => current().oauthCallback(answer, requestId),
    oauthReturnUrl: (returnUrl) => current().oauthReturnUrl(returnUrl),
  }
}
