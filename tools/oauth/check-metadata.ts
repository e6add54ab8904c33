import { type Static, Type } from '@sinclair/typebox'
import type { OauthSettings } from '../../shared/domain/auth/oauth/oauth-settings.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { type Finding, fault, fine, note } from './finding.ts'

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
export type Metadata = Static<typeof Metadata>

export const parseMetadata = createParser(Metadata)

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

/** Everything in the provider's metadata that would break a sign-in, or that an operator should know. */
export const checkMetadata = (metadata: Metadata, settings: OauthSettings): readonly Finding[] => {
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
