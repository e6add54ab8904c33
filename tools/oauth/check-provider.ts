import { type Static, Type } from '@sinclair/typebox'
import { type OauthConfig, type OauthSettings, readOauthSettings } from '../../shared/domain/auth/oauth/oauth-config.ts'
import { createIssuerFetch } from '../../shared/domain/auth/oauth/oauth-fetch.ts'
import { createOauthIssuer } from '../../shared/domain/auth/oauth/oauth-issuer.ts'
import { IssuerFault, issuerTimeoutSeconds } from '../../shared/domain/auth/oauth/oauth-request.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { errorCode, messageOf } from '../world/describe-failure.ts'

/** The result of a check: it passed, there is something to know, or a fault prevents sign-ins. */
export type Finding = { readonly kind: 'ok' | 'note' | 'fault'; readonly text: string }

export const fine = (text: string): Finding => ({ kind: 'ok', text })
export const note = (text: string): Finding => ({ kind: 'note', text })
export const fault = (text: string): Finding => ({ kind: 'fault', text })

const names = Type.Optional(Type.Array(Type.String()))
const address = Type.Optional(Type.String())

/** The metadata of a provider, as far as the check uses it (OpenID Connect Discovery 1.0, section 3; RFC 8414). */
const Metadata = Type.Object(
  {
    issuer: Type.String(),
    authorization_endpoint: address,
    token_endpoint: address,
    jwks_uri: address,
    code_challenge_methods_supported: names,
    response_types_supported: names,
    scopes_supported: names,
    claims_supported: names,
  },
  { additionalProperties: true },
)
type Metadata = Static<typeof Metadata>

const parseMetadata = createParser(Metadata)

const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

const isSameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href

const checkIssuer = ({ issuer }: Metadata, settings: OauthSettings): Finding =>
  isSameAddress(issuer, settings.issuer)
    ? fine(`${settings.issuer} has valid metadata.`)
    : fault(`The provider at ${settings.issuer} calls itself ${issuer}. If it is yours, write that as auth.oauth.issuer.`)

const checkPkce = ({ code_challenge_methods_supported: methods }: Metadata): Finding => {
  if (methods === undefined)
    return note(
      'Its metadata does not say whether it supports PKCE (S256), which every sign-in here uses. Most such providers do.',
    )
  if (methods.includes('S256')) return fine('It supports PKCE (S256).')
  return fault(
    'It does not support PKCE with S256, which every sign-in here needs. Switch it on at the provider, or use another one.',
  )
}

const listMissing = (offered: readonly string[] | undefined, wanted: readonly string[]): readonly string[] =>
  offered === undefined ? [] : wanted.filter((one) => !offered.includes(one))

/** Faults in the metadata of the provider that break a sign-in, and notes for the operator. */
const checkMetadata = (metadata: Metadata, settings: OauthSettings): readonly Finding[] => {
  const absent = endpoints.filter((name) => !metadata[name])
  const isPlain = endpoints.filter((name) => metadata[name]?.startsWith('http:') && settings.issuer.startsWith('https:'))
  const scopes = listMissing(metadata.scopes_supported, settings.scopes.split(' '))
  // A nested claim is listed by its outermost name, if at all.
  const claim = settings.groupsClaim?.claim
  const isClaimListed = [claim, claim?.split('.', 1)[0]].some((name) => name && metadata.claims_supported?.includes(name))
  return [
    checkIssuer(metadata, settings),
    ...absent.map((name) => fault(`It has no ${name}. Either it is not an OpenID provider, or the issuer is not its address.`)),
    ...isPlain.map((name) => fault(`Its ${name} uses plain HTTP, which sign-ins never use.`)),
    checkPkce(metadata),
    ...listMissing(metadata.response_types_supported, ['code']).map(() => fault('It does not offer the code flow.')),
    ...(scopes.length > 0
      ? [note(`It does not list the scopes ${scopes.join(', ')} of auth.oauth.scopes, but may still support them.`)]
      : []),
    ...(claim !== undefined && metadata.claims_supported !== undefined && !isClaimListed
      ? [note(`It does not list the claim ${claim} of auth.oauth.groupsClaim, but may still send it.`)]
      : []),
  ]
}

type CheckProviderDeps = {
  readonly config: OauthConfig
  readonly readSecret: (variable: string) => string | undefined
  /** The public address of this server. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly ids: Ids
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
const parseKeys = createParser(Type.Object({ keys: Type.Array(Type.Unknown()) }, { additionalProperties: true }))

/** For network errors of fetch, the cause has the reason. */
const reasonOf = (error: unknown): string => {
  if (error instanceof IssuerFault && error.cause === undefined) return error.message
  if (isObject(error) && error.name === 'TimeoutError') return `no answer within ${issuerTimeoutSeconds} s`
  const cause = isObject(error) && isObject(error.cause) ? error.cause : error
  const code = errorCode(cause)
  return `${messageOf(cause)}${code === '' ? '' : ` (${code})`}`
}

const createReader = () => {
  const read = createIssuerFetch()
  return async (url: string): Promise<unknown> => {
    const response = await read(url, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' })
    if (response.status !== 200) throw new IssuerFault(`it answers ${response.status}`)
    return response.json()
  }
}

const documentOf = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

const readKeys = async (read: (url: string) => Promise<unknown>, { jwks_uri: url }: Metadata): Promise<readonly Finding[]> => {
  if (!url) return []
  const keys = await read(url).then(parseKeys, (error: unknown) => reasonOf(error))
  if (typeof keys === 'string') return [fault(`Its keys cannot be read at ${url}: ${keys}.`)]
  if (!keys.ok || keys.value.keys.length === 0) return [fault(`There are no keys at ${url}.`)]
  return [fine(`Its keys can be read: ${keys.value.keys.length}.`)]
}

const describe = async (settings: OauthSettings): Promise<readonly Finding[]> => {
  if (settings.endpoints !== undefined)
    return [note('Plain OAuth 2.0: it has no metadata, and proves identities only through its userinfo address.')]
  const read = createReader()
  const url = documentOf(settings.issuer)
  const answer = await read(url).then(parseMetadata, (error: unknown) => reasonOf(error))
  if (typeof answer === 'string') return [fault(`The identity provider cannot be reached at ${url}: ${answer}.`)]
  if (!answer.ok) return [fault(`The document at ${url} is not the metadata of an OpenID provider.`)]
  return [...checkMetadata(answer.value, settings), ...(await readKeys(read, answer.value))]
}

const attempt = ({ ids }: CheckProviderDeps) => ({ state: ids.secret(), nonce: ids.secret(), verifier: ids.secret() })

/** Sends the first request of a sign-in, as a browser would, and stops at the answer. */
const tryAuthorization = async (settings: OauthSettings, deps: CheckProviderDeps): Promise<readonly Finding[]> => {
  const issuer = createOauthIssuer(settings, deps)
  const hint = `register exactly ${settings.redirectUri} as a redirect URI there`
  try {
    const url = await issuer.authorizationUrl(attempt(deps))
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(issuerTimeoutSeconds * 1000) })
    await answer.body?.cancel()
    const location = answer.headers.get('location') ?? ''
    const error = location.startsWith(settings.redirectUri) && new URL(location).searchParams.get('error')
    if (error) return [fault(`It refuses sign-ins of this client with "${error.replace(/[^\w ]/g, '?').slice(0, 80)}".`)]
    if (answer.status < 400) return [fine(`It begins a sign-in. For its return: ${hint}.`)]
    return [note(`It answers ${answer.status} to the start of a sign-in. Check the client ID, and ${hint}.`)]
  } catch (thrown) {
    const cause = thrown instanceof AppError ? thrown.cause : thrown
    return [fault(`A sign-in cannot begin: ${reasonOf(cause)}.`)]
  }
}

/**
 * Sends the client secret with an invalid code: a provider that knows the client refuses only the code (RFC 6749, section 5.2).
 */
const tryExchange = async (settings: OauthSettings, deps: CheckProviderDeps): Promise<readonly Finding[]> => {
  const issuer = createOauthIssuer(settings, deps)
  const answer = { ...attempt(deps), code: 'npm-run-oauth-check', iss: settings.issuer }
  const thrown: unknown = await issuer.exchange(answer).catch((error: unknown) => error)
  const reason = thrown instanceof AppError && thrown.cause instanceof Error ? thrown.cause.message : ''
  if (reason.includes('"invalid_grant"')) return [fine('It accepts the client ID and secret.')]
  if (/"(invalid_client|unauthorized_client)"|WWW_AUTHENTICATE|status 401/.test(reason))
    return [fault('It refuses the client ID and secret. Check auth.oauth.clientId and the environment variable.')]
  return [note(`It is not clear whether it accepts the client ID and secret: ${reason || 'it sends an unexpected answer'}.`)]
}

const checkOwnSide = ({ redirectUri }: OauthSettings, baseUrl: string): readonly Finding[] => {
  const expected = `${baseUrl}/auth/callback`
  if (!new URL(redirectUri).pathname.endsWith('/auth/callback'))
    return [fault(`auth.oauth.redirectUri is ${redirectUri}, an address of no route. It must end in /auth/callback.`)]
  if (redirectUri === expected) return []
  return [
    note(
      `auth.oauth.redirectUri is ${redirectUri}, but BASE_URL makes it ${expected}. A sign-in must begin and end at one host.`,
    ),
  ]
}

/** Whether people could sign in through the provider of `auth.oauth`, as far as a check without a sign-in can know. */
export const checkProvider = async (deps: CheckProviderDeps): Promise<readonly Finding[]> => {
  const { config, readSecret, baseUrl } = deps
  const variable = config.clientSecretEnv ?? ''
  const secret = readSecret(variable)
  const settings = readOauthSettings(config, () => secret ?? 'unknown')
  const own = checkOwnSide(settings, baseUrl)
  const missing = fault(
    `The environment variable ${variable} of auth.oauth.clientSecretEnv is not set here. Set it to the client secret.`,
  )
  const described = await describe(settings)
  const before = [...own, ...(secret === undefined ? [missing] : []), ...described]
  if (described.some(({ kind }) => kind === 'fault')) return before
  const tried = await tryAuthorization(settings, deps)
  return [...before, ...tried, ...(secret === undefined ? [] : await tryExchange(settings, deps))]
}

const hrefOf = (text: string): string => (URL.canParse(text) ? new URL(text).href : text)

/** Whether a subject (`issuer|sub`) belongs to this identity provider. Compares issuers as addresses, as discovery does. */
export const isOfIssuer = (subject: string, issuer: string): boolean =>
  hrefOf(subject.slice(0, Math.max(0, subject.indexOf('|')))) === hrefOf(issuer)
