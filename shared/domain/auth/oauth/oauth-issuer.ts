import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import type { CustomFetch, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { Clock } from '../../../kernel/clock.ts'
import { createParser } from '../../../kernel/schema.ts'
import {
  type ConfiguredClient,
  clockToleranceSeconds,
  createConfigure,
  mayUse,
  type SecretMethod,
  secretMethods,
} from './oauth-client.ts'
import type { OauthSettings } from './oauth-config.ts'
import { discoveryFault, exchangeFault, exchangeRefused, isClientFault, isKeyFault } from './oauth-faults.ts'
import { createIssuerFetch, type ExchangedCodes, isPlainOnTheWire } from './oauth-fetch.ts'
import { holdsAllClaims, type OauthIdentity, readClaim, readIdentity } from './oauth-identity.ts'
import { IssuerFault } from './oauth-request.ts'

type Claims = Readonly<Record<string, unknown>>

/** The checked tokens of an exchanged code, before the identity is read. */
type Granted = ConfiguredClient & { readonly tokens: TokenEndpointResponse & TokenEndpointResponseHelpers }

const parseClaims = createParser(Type.Record(Type.String(), Type.Unknown()))

const readSubject = (claims: Claims, name: string): string => {
  const value = readClaim(claims, name)
  const subject = Number.isSafeInteger(value) ? String(value) : value
  if (typeof subject === 'string' && subject.length > 0 && subject.length <= 1024) return subject
  throw exchangeRefused(new Error(`the identity provider names no subject in the claim "${name}"`))
}

const notJson = (): never => {
  throw new IssuerFault('the answer of the userinfo endpoint is not JSON')
}

/** Plain OAuth 2.0: the answer of the userinfo endpoint to this access token. */
const readUserinfo = async ({ client, config, tokens }: Granted, settings: OauthSettings): Promise<OauthIdentity> => {
  const address = new URL(settings.endpoints?.userinfo ?? settings.issuer)
  const response = await client.fetchProtectedResource(config, tokens.access_token, address, 'GET')
  if (response.status !== 200) throw new Error('userinfo was refused', { cause: response })
  const claims = parseClaims(await response.json().catch(notJson))
  if (!claims.ok) throw exchangeRefused(new Error('userinfo is not an object'))
  return readIdentity(`${settings.issuer}|${readSubject(claims.value, settings.claims.subject)}`, [claims.value], settings)
}

/** OpenID Connect: the ID token and, if a claim is missing there, userinfo of the same subject. */
const readOidc = async (
  { client, config, metadata, tokens }: Granted,
  settings: OauthSettings,
  clock: Clock,
): Promise<OauthIdentity> => {
  const claims = tokens.claims()
  if (claims === undefined) throw exchangeRefused(new Error('there is no ID token'))
  if (claims.iat * 1000 > clock.now() + clockToleranceSeconds * 1000)
    throw exchangeRefused(
      new Error(`the ID token is issued in the future, at ${claims.iat}: look at the clocks of both machines`),
    )
  const subject = `${claims.iss}|${readSubject(claims, 'sub')}`
  const needsUserinfo = metadata.userinfo_endpoint !== undefined && !holdsAllClaims(claims, settings)
  const sources = needsUserinfo ? [claims, await client.fetchUserInfo(config, tokens.access_token, claims.sub)] : [claims]
  return readIdentity(subject, sources, settings)
}

/** The identity of the tokens. Throws AppError `unauthenticated` `exchange-refused`, or errors of the library. */
const readGranted = (granted: Granted, settings: OauthSettings, clock: Clock): Promise<OauthIdentity> =>
  settings.endpoints === undefined ? readOidc(granted, settings, clock) : readUserinfo(granted, settings)

/** The parameters that the browser brought back, and the secrets that the sign-in started with. */
export type OauthExchange = {
  readonly code?: string | undefined
  readonly state: string
  readonly iss?: string | undefined
  readonly error?: string | undefined
  readonly verifier: string
  readonly nonce: string
}

type OauthRequest = Pick<OauthExchange, 'state' | 'nonce' | 'verifier'>

/** Requests to one identity provider. Every method throws the errors of `oauth-faults.ts`. */
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

/** RFC 7636, section 4.2, by S256. */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** The metadata of the provider as read at one time, with the library configured by it. Sign-ins share it until it expires. */
type OauthEdition = {
  /** Runs once for each method, even if it fails. */
  configure(method: SecretMethod): Promise<ConfiguredClient>
}

/** How long metadata and keys are cached. An unknown key causes a new read at once. */
const editionTtlMs = 10 * 60_000

const createEdition = (configure: ReturnType<typeof createConfigure>, fetch: CustomFetch): OauthEdition => {
  const configured = new Map<SecretMethod, Promise<ConfiguredClient>>()
  return {
    configure: (method) => {
      const known = configured.get(method)
      if (known !== undefined) return known
      const configuring = configure(fetch, method)
      configured.set(method, configuring)
      return configuring
    },
  }
}

/** The editions of one provider, one at a time. All share `exchanged`, so that no code is exchanged twice. */
const createOauthEditions = (
  settings: OauthSettings,
  { clock, exchanged }: { readonly clock: Clock; readonly exchanged: ExchangedCodes },
) => {
  const configure = createConfigure(settings)
  let held: { readonly edition: OauthEdition; readonly begunAtMs: number } | undefined
  return {
    current: (): OauthEdition => {
      const now = clock.monotonic()
      if (held === undefined || now - held.begunAtMs >= editionTtlMs)
        held = { edition: createEdition(configure, createIssuerFetch(exchanged)), begunAtMs: now }
      return held.edition
    },
    /** Drops an edition that did not work; later calls get a new one. */
    discard: (edition: OauthEdition): void => {
      if (held?.edition === edition) held = undefined
    },
  }
}

/** The issuer of `settings`. All sign-ins of this process share its documents and the configured library. */
export const createOauthIssuer = (settings: OauthSettings, { clock }: { readonly clock: Clock }): OauthIssuer => {
  const exchanged: ExchangedCodes = new Map()
  const editions = createOauthEditions(settings, { clock, exchanged })
  let lastMethod: SecretMethod = 'client_secret_post'

  const open = (edition: OauthEdition, method: SecretMethod): Promise<ConfiguredClient> =>
    edition.configure(method).catch((error: unknown) => {
      editions.discard(edition)
      throw discoveryFault(error)
    })

  const grantOnce = async ({ client, config, metadata }: ConfiguredClient, answer: OauthExchange): Promise<Granted> => {
    const { state: expectedState, verifier: pkceCodeVerifier, nonce: expectedNonce } = answer
    const tokens = await client.authorizationCodeGrant(
      config,
      returnedUrl(settings.redirectUri, answer),
      settings.endpoints === undefined
        ? { expectedState, pkceCodeVerifier, expectedNonce, idTokenExpected: true }
        : { expectedState, pkceCodeVerifier },
    )
    return { client, config, metadata, tokens }
  }

  /** If the provider may have rotated its keys, checks the exchanged answer again with the current keys. */
  const grantBy = async (method: SecretMethod, answer: OauthExchange): Promise<Granted | undefined> => {
    const edition = editions.current()
    const configured = await open(edition, method)
    if (!mayUse(configured, method)) return undefined
    return grantOnce(configured, answer).catch(async (error: unknown) => {
      if (!isKeyFault(error)) throw error
      editions.discard(edition)
      return grantOnce(await open(editions.current(), method), answer)
    })
  }

  const grant = async (answer: OauthExchange): Promise<Granted> => {
    let refusal: unknown
    for (const method of new Set([lastMethod, ...secretMethods])) {
      try {
        const granted = await grantBy(method, answer)
        if (granted === undefined) continue
        lastMethod = method
        return granted
      } catch (error) {
        refusal = error
        if (!isClientFault(error)) throw error
      }
    }
    throw refusal
  }

  const buildUrl = ({ client, config }: ConfiguredClient, { state, nonce, verifier }: OauthRequest): string => {
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: settings.redirectUri,
      scope: settings.scopes,
      state,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      ...(settings.endpoints === undefined ? { nonce } : {}),
    })
    if (isPlainOnTheWire(url)) throw new IssuerFault('the identity provider sends browsers to an address that is not HTTPS')
    return url.href
  }

  return {
    authorizationUrl: async (request) => {
      const edition = editions.current()
      const configured = await open(edition, 'client_secret_post')
      try {
        return buildUrl(configured, request)
      } catch (error) {
        editions.discard(edition)
        throw discoveryFault(error)
      }
    },
    exchange: async (answer) => {
      try {
        return await readGranted(await grant(answer), settings, clock)
      } catch (error) {
        throw exchangeFault(error)
      } finally {
        exchanged.delete(answer.verifier)
      }
    },
  }
}
