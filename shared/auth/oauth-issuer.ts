import { Type } from '@sinclair/typebox'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import type { Clock } from '../kernel/clock.ts'
import { isLoopback } from '../kernel/env.ts'
import { createParser } from '../kernel/schema.ts'
import { discoveryFault, exchangeFault, exchangeRefused, isClientFault, isKeyFault } from './oauth-faults.ts'
import { createIssuerFetch, issuerTimeoutSeconds } from './oauth-fetch.ts'
import { holdsAllClaims, type OauthIdentity, readClaim, readIdentity } from './oauth-identity.ts'
import type { OauthSettings } from './oauth-settings.ts'

type Client = typeof import('openid-client')
type Claims = Readonly<Record<string, unknown>>

const parseClaims = createParser(Type.Record(Type.String(), Type.Unknown()))

/** How far the provider's clock may differ from ours, in seconds. */
const clockToleranceSeconds = 30

/** What the browser brought back, and what the sign-in was begun with. */
export type OauthExchange = {
  readonly code?: string | undefined
  readonly state: string
  readonly iss?: string | undefined
  readonly error?: string | undefined
  readonly verifier: string
  readonly nonce: string
}

/** One identity provider and what it is asked; every method throws what `oauth-faults.ts` makes of its errors. */
export type OauthIssuer = {
  /** Where to send the browser. */
  authorizationUrl(request: { readonly state: string; readonly nonce: string; readonly verifier: string }): Promise<string>
  exchange(answer: OauthExchange): Promise<OauthIdentity>
}

/** Loaded by the first sign-in: a server without one does not pay for it. */
const loadClient = (): Promise<Client> => import('openid-client')

const isPlainLoopback = (address: string): boolean => {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

const createConfigurations = (settings: OauthSettings) => {
  const { issuer, clientId, clientSecret, endpoints } = settings
  const isPlain = [issuer, ...Object.values(endpoints ?? {})].some(isPlainLoopback)
  return async (client: Client, fetch: CustomFetch, auth: ClientAuth): Promise<Configuration> => {
    const metadata = { client_secret: clientSecret, [client.clockTolerance]: clockToleranceSeconds }
    if (endpoints !== undefined) {
      const server = {
        issuer,
        authorization_endpoint: endpoints.authorization,
        token_endpoint: endpoints.token,
        userinfo_endpoint: endpoints.userinfo,
      }
      const config = new client.Configuration(server, clientId, metadata, auth)
      config[client.customFetch] = fetch
      config.timeout = issuerTimeoutSeconds
      if (isPlain) client.allowInsecureRequests(config)
      return config
    }
    return client.discovery(new URL(issuer), clientId, metadata, auth, {
      [client.customFetch]: fetch,
      timeout: issuerTimeoutSeconds,
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    })
  }
}

/** Both ways of showing a client secret (RFC 6749, section 2.3.1): providers differ in which one they expect of a client. */
const secretMethods = ['client_secret_post', 'client_secret_basic'] as const
type SecretMethod = (typeof secretMethods)[number]

const mayUse = (config: Configuration, method: SecretMethod): boolean => {
  const listed = config.serverMetadata().token_endpoint_auth_methods_supported
  return listed === undefined || listed.includes(method) || !secretMethods.some((other) => listed.includes(other))
}

const returnedUrl = (redirectUri: string, { code, state, iss, error }: OauthExchange): URL => {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ code, state, iss, error }))
    if (value !== undefined) url.searchParams.set(name, value)
  return url
}

const readSubject = (claims: Claims, name: string): string => {
  const value = readClaim(claims, name)
  const subject = Number.isSafeInteger(value) ? String(value) : value
  if (typeof subject === 'string' && subject.length > 0 && subject.length <= 1024) return subject
  throw exchangeRefused(new Error(`the identity provider names no subject in the claim "${name}"`))
}

/** Reads who it is by plain OAuth 2.0: whatever the userinfo address says to this access token. */
const readUserinfo = async (client: Client, config: Configuration, accessToken: string, settings: OauthSettings) => {
  const address = new URL(settings.endpoints?.userinfo ?? settings.issuer)
  const response = await client.fetchProtectedResource(config, accessToken, address, 'GET')
  if (response.status !== 200) throw new Error('userinfo was refused', { cause: response })
  const claims = parseClaims(await response.json())
  if (!claims.ok) throw exchangeRefused(new Error('userinfo is not an object'))
  return readIdentity(`${settings.issuer}|${readSubject(claims.value, settings.claims.subject)}`, [claims.value], settings)
}

type Granted = Awaited<ReturnType<Client['authorizationCodeGrant']>>
type GrantedBy = { readonly config: Configuration; readonly tokens: Granted }

export const createOauthIssuer = (settings: OauthSettings, { clock }: { readonly clock: Clock }): OauthIssuer => {
  const issuerFetch = createIssuerFetch({ clock })
  const configure = createConfigurations(settings)
  let knownMethod: SecretMethod | undefined

  const secretBy = (client: Client, method: SecretMethod): ClientAuth =>
    method === 'client_secret_post'
      ? client.ClientSecretPost(settings.clientSecret)
      : client.ClientSecretBasic(settings.clientSecret)

  const open = (client: Client, fetch: CustomFetch, method: SecretMethod): Promise<Configuration> =>
    configure(client, fetch, secretBy(client, method)).catch((error: unknown) => {
      issuerFetch.forget()
      throw discoveryFault(error)
    })

  const grantOnce = async (client: Client, config: Configuration, answer: OauthExchange): Promise<GrantedBy> => {
    const { state, verifier, nonce } = answer
    const checks = { expectedState: state, pkceCodeVerifier: verifier }
    const tokens = await client.authorizationCodeGrant(
      config,
      returnedUrl(settings.redirectUri, answer),
      settings.endpoints === undefined ? { ...checks, expectedNonce: nonce, idTokenExpected: true } : checks,
    )
    return { config, tokens }
  }

  const grant = async (client: Client, answer: OauthExchange): Promise<GrantedBy> => {
    const session = issuerFetch.open()
    let refusal: unknown
    for (const method of knownMethod === undefined ? secretMethods : [knownMethod]) {
      const config = await open(client, session.fetch, method)
      if (!mayUse(config, method)) continue
      try {
        const granted = await grantOnce(client, config, answer).catch(async (error: unknown) => {
          // Keys may have been rotated since they were read.
          if (!isKeyFault(error) || !session.refresh()) throw error
          return grantOnce(client, await open(client, session.fetch, method), answer)
        })
        knownMethod = method
        return granted
      } catch (error) {
        refusal = error
        if (!isClientFault(error)) throw error
      }
    }
    // The client may have been registered anew in the other way.
    knownMethod = undefined
    throw refusal
  }

  const readOidc = async (client: Client, { config, tokens }: GrantedBy): Promise<OauthIdentity> => {
    const claims = tokens.claims()
    if (claims === undefined) throw exchangeRefused(new Error('there is no ID token'))
    if (claims.iat * 1000 > clock.now() + clockToleranceSeconds * 1000)
      throw exchangeRefused(
        new Error(`the ID token is issued in the future, at ${claims.iat}: look at the clocks of both machines`),
      )
    const subject = `${claims.iss}|${readSubject(claims, 'sub')}`
    const needsUserinfo = config.serverMetadata().userinfo_endpoint !== undefined && !holdsAllClaims(claims, settings)
    const sources = needsUserinfo ? [claims, await client.fetchUserInfo(config, tokens.access_token, claims.sub)] : [claims]
    return readIdentity(subject, sources, settings)
  }

  return {
    authorizationUrl: async ({ state, nonce, verifier }) => {
      const client = await loadClient()
      const config = await open(client, issuerFetch.open().fetch, 'client_secret_post')
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: settings.redirectUri,
        scope: settings.scopes,
        state,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(settings.endpoints === undefined ? { nonce } : {}),
      })
      return url.href
    },
    exchange: async (answer) => {
      const client = await loadClient()
      try {
        const granted = await grant(client, answer)
        if (settings.endpoints === undefined) return await readOidc(client, granted)
        return await readUserinfo(client, granted.config, granted.tokens.access_token, settings)
      } catch (error) {
        throw exchangeFault(error)
      }
    },
  }
}
