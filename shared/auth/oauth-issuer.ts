import type { Configuration, CustomFetch } from 'openid-client'
import type { Clock } from '../kernel/clock.ts'
import { createConfigure, loadOauthClient, mayUse, type OauthClient, type SecretMethod, secretMethods } from './oauth-client.ts'
import { discoveryFault, exchangeFault, isClientFault, isKeyFault } from './oauth-faults.ts'
import { createIssuerFetch, IssuerFault, isPlainOnTheWire } from './oauth-fetch.ts'
import { type Granted, readGranted } from './oauth-granted.ts'
import type { OauthIdentity } from './oauth-identity.ts'
import type { OauthSettings } from './oauth-settings.ts'

/** What the browser brought back, and what the sign-in was begun with. */
export type OauthExchange = {
  readonly code?: string | undefined
  readonly state: string
  readonly iss?: string | undefined
  readonly error?: string | undefined
  readonly verifier: string
  readonly nonce: string
}

type OauthRequest = Pick<OauthExchange, 'state' | 'nonce' | 'verifier'>

/** One identity provider and what it is asked; every method throws what `oauth-faults.ts` makes of its errors. */
export type OauthIssuer = {
  /** Where to send the browser. */
  authorizationUrl(request: OauthRequest): Promise<string>
  exchange(answer: OauthExchange): Promise<OauthIdentity>
}

const returnedUrl = (redirectUri: string, { code, state, iss, error }: OauthExchange): URL => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ code, state, iss, error }))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}

/** The issuer of `settings`, its documents read once for all sign-ins of this process. */
export const createOauthIssuer = (settings: OauthSettings, { clock }: { readonly clock: Clock }): OauthIssuer => {
  const issuerFetch = createIssuerFetch({ clock })
  const configure = createConfigure(settings)
  let lastMethod: SecretMethod = 'client_secret_post'

  const open = (client: OauthClient, fetch: CustomFetch, method: SecretMethod): Promise<Configuration> =>
    configure(client, fetch, method).catch((error: unknown) => {
      issuerFetch.forget()
      throw discoveryFault(error)
    })

  const grantOnce = async (client: OauthClient, config: Configuration, answer: OauthExchange): Promise<Granted> => {
    const { state, verifier, nonce } = answer
    const checks = { expectedState: state, pkceCodeVerifier: verifier }
    const tokens = await client.authorizationCodeGrant(
      config,
      returnedUrl(settings.redirectUri, answer),
      settings.endpoints === undefined ? { ...checks, expectedNonce: nonce, idTokenExpected: true } : checks,
    )
    return { client, config, tokens }
  }

  const grant = async (client: OauthClient, answer: OauthExchange): Promise<Granted> => {
    const session = issuerFetch.open()
    let refusal: unknown
    for (const method of new Set([lastMethod, ...secretMethods])) {
      const config = await open(client, session.fetch, method)
      if (!mayUse(config, method)) continue
      try {
        const granted = await grantOnce(client, config, answer).catch(async (error: unknown) => {
          // Keys may have been rotated since they were read.
          if (!isKeyFault(error) || !session.refresh()) throw error
          return grantOnce(client, await open(client, session.fetch, method), answer)
        })
        lastMethod = method
        return granted
      } catch (error) {
        refusal = error
        if (!isClientFault(error)) throw error
      }
    }
    throw refusal
  }

  const buildUrl = async (client: OauthClient, config: Configuration, { state, nonce, verifier }: OauthRequest) => {
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: settings.redirectUri,
      scope: settings.scopes,
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(settings.endpoints === undefined ? { nonce } : {}),
    })
    if (isPlainOnTheWire(url)) throw new IssuerFault('the identity provider sends browsers to an address that is not HTTPS')
    return url.href
  }

  return {
    authorizationUrl: async (request) => {
      const client = await loadOauthClient()
      const config = await open(client, issuerFetch.open().fetch, 'client_secret_post')
      try {
        return await buildUrl(client, config, request)
      } catch (error) {
        issuerFetch.forget()
        throw discoveryFault(error)
      }
    },
    exchange: async (answer) => {
      const client = await loadOauthClient()
      try {
        return await readGranted(await grant(client, answer), settings, clock)
      } catch (error) {
        throw exchangeFault(error)
      }
    },
  }
}
