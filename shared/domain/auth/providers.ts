import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { AccountService } from '../accounts/service/account-service.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { PasswordHasher } from '../passwords/passwords.ts'
import type { TokenStore } from '../tokens/tokens.ts'
import { createLocalProvider } from './local-provider.ts'
import type { OauthConfig } from './oauth/oauth-config.ts'
import { createOauthProvider } from './oauth/oauth-provider.ts'
import type { AuthProvider } from './provider/provider.ts'

type SwitchingProviderDeps = {
  readonly providers: Readonly<Record<string, AuthProvider>>
  /** `auth.provider` now. */
  readonly inForce: () => string
}

/** The active one of `providers` at each call, so that a reload of the config switches it. */
const createSwitchingProvider = ({ providers, inForce }: SwitchingProviderDeps): AuthProvider => {
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
    login: async (email, password, request) => current().login(email, password, request),
    oauthStartUrl: async (returnUrl) => current().oauthStartUrl(returnUrl),
    oauthCallback: async (answer, requestId) => current().oauthCallback(answer, requestId),
    oauthReturnUrl: (returnUrl) => current().oauthReturnUrl(returnUrl),
  }
}

type AuthConfig = {
  readonly provider: string
  readonly local: { readonly requirePassword: boolean }
  readonly oauth: OauthConfig
}

/** Dependencies of the providers. */
type ProviderDeps = {
  readonly accountStore: Pick<AccountStore, 'findByEmail'>
  readonly accounts: Pick<AccountService, 'renewPassword' | 'signInVouched' | 'signUp'>
  readonly passwords: Pick<PasswordHasher, 'prove' | 'verify'>
  readonly tokens: Pick<TokenStore, 'putOnce' | 'findOnce' | 'takeOnce'>
  /** `auth` of `server.yaml` now. */
  readonly authConfig: () => AuthConfig
  /** Reads a secret from an environment variable. */
  readonly readSecret: (variable: string) => string | undefined
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

export type CreateProvider = (deps: ProviderDeps) => AuthProvider

/** All providers by their name in `auth.provider`. To add one, write one file and one line here. */
const providerConstructors: Readonly<Record<string, CreateProvider>> = {
  local: (deps) => createLocalProvider({ ...deps, requirePassword: () => deps.authConfig().local.requirePassword }),
  oauth: (deps) => createOauthProvider({ ...deps, oauthConfig: () => deps.authConfig().oauth }),
}

/** The values of `auth.provider`. */
export const providerNames: readonly string[] = Object.keys(providerConstructors)

/** The active provider. A test adds a provider of its own with `others`. */
export const createProvider = (deps: ProviderDeps, others: Readonly<Record<string, CreateProvider>> = {}): AuthProvider =>
  createSwitchingProvider({
    providers: Object.fromEntries(
      Object.entries({ ...providerConstructors, ...others }).map(([name, create]) => [name, create(deps)]),
    ),
    inForce: () => deps.authConfig().provider,
  })
