import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret, type Ids } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { AccountService } from '../../accounts/service/account-service.ts'
import { mapClaim } from '../../accounts/service/mapped-groups.ts'
import type { VouchedIdentity } from '../../accounts/service/vouched-sign-in.ts'
import type { TokenStore } from '../../tokens/tokens.ts'
import type { AuthProvider } from '../provider/provider.ts'
import { providerMismatch } from '../provider/provider.ts'
import { matchReturnUrl } from '../provider/return-url.ts'
import { type OauthConfig, type OauthSettings, readOauthSettings } from './oauth-config.ts'
import type { OauthIdentity } from './oauth-identity.ts'
import { createOauthIssuer, type OauthIssuer } from './oauth-issuer.ts'
import { createOauthStates } from './oauth-state.ts'

export type OauthProviderDeps = {
  readonly accounts: Pick<AccountService, 'signInVouched'>
  readonly tokens: Pick<TokenStore, 'putOnce' | 'findOnce' | 'takeOnce'>
  /** `auth.oauth` now; the same object until it changes. */
  readonly oauthConfig: () => OauthConfig
  readonly readSecret: (variable: string) => string | undefined
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

type InForce = {
  readonly config: OauthConfig
  readonly settings: OauthSettings
  readonly issuer: OauthIssuer
  /** Identifies the provider and our client there: a sign-in started with another one cannot be completed with this. */
  readonly client: string
}

/** The identity with its mapped groups, and whether `denyUnmapped` admits it. */
export const vouchedBy = (
  { groupValues, groupsFault: _, ...identity }: OauthIdentity,
  { groupsClaim }: OauthSettings,
): VouchedIdentity => {
  const claim = groupsClaim && mapClaim(groupValues ?? [], groupsClaim.mapping)
  const isWelcome = groupsClaim?.denyUnmapped !== true || (claim?.groups.length ?? 0) > 0
  return { ...identity, claim, isWelcome }
}

/** Sign-in through the identity provider of `auth.oauth`. A changed config applies from the next sign-in. */
export const createOauthProvider = (deps: OauthProviderDeps): AuthProvider => {
  const { accounts, oauthConfig, readSecret, clock, log } = deps
  const states = createOauthStates(deps)
  let held: InForce | undefined

  const inForce = (): InForce => {
    const config = oauthConfig()
    if (held?.config === config) return held
    const settings = readOauthSettings(config, readSecret)
    const { issuer, clientId, redirectUri } = settings
    const client = hashSecret(JSON.stringify([issuer, clientId, redirectUri]))
    held = { config, settings, issuer: createOauthIssuer(settings, { clock }), client }
    return held
  }

  const match = (returnUrl: string) => matchReturnUrl(returnUrl, oauthConfig().allowedReturnUrls)

  /** Logs a refusal of the provider. It is rarely the player's fault, so an operator must see it at the usual log level. */
  const tell = (error: unknown, requestId: string): never => {
    if (!(error instanceof AppError)) throw error
    const facts = { requestId, err: error.cause }
    if (error.slug === 'exchange-refused') log.warn(facts, 'a sign-in through the identity provider was refused')
    if (error.slug === 'consent-refused') log.info(facts, 'a sign-in through the identity provider was declined')
    if (error.slug === 'account-not-allowed') log.info(facts, 'refused an account of the identity provider')
    throw error
  }

  return {
    name: 'oauth',
    login: async () => {
      throw providerMismatch('oauth')
    },
    oauthStartUrl: async (text) => {
      const returnUrl = match(text)
      const { issuer, client } = inForce()
      const { state, browserSecret, verifier, nonce } = await states.begin(returnUrl, client)
      return { redirectTo: await issuer.authorizationUrl({ state, nonce, verifier }), state, browserSecret }
    },
    oauthCallback: async ({ browserSecret, ...answer }, requestId) => {
      if (answer.state !== undefined && answer.code === undefined && answer.error === undefined)
        throw new AppError('invalid', 'bad-request', 'The answer of the identity provider contains neither a code nor an error.')
      const { settings, issuer, client } = inForce()
      const { verifier, nonce, ...kept } = await states.take({ state: answer.state, browserSecret, client })
      const returnUrl = match(kept.returnUrl)
      const checked = { ...answer, state: answer.state ?? '', verifier, nonce }
      const identity = await issuer.exchange(checked).catch((error: unknown) => tell(error, requestId))
      if (identity.groupsFault !== undefined)
        log.warn({ requestId, reason: identity.groupsFault }, 'groups of a sign-in through the identity provider are missing')
      const account = await accounts
        .signInVouched(vouchedBy(identity, settings), requestId)
        .catch((error: unknown) => tell(error, requestId))
      return { account, verified: true, returnUrl }
    },
    oauthReturnUrl: match,
  }
}
