import { type Static, Type } from '@sinclair/typebox'
import type { OauthSettings } from '../../shared/domain/auth/oauth/oauth-settings.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { type Finding, fault, fine, note } from './finding.ts'

const names = Type.Optional(Type.Array(Type.String()))
const address = Type.Optional(Type.String())

/** What a provider says of itself, as far as it is looked at here (OpenID Connect Discovery 1.0, section 3; RFC 8414). */
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
    ? fine(`${settings.issuer} describes itself.`)
    : fault(`What answers at ${settings.issuer} names itself ${issuer}: write that as auth.oauth.issuer, if it is yours.`)

const checkPkce = ({ code_challenge_methods_supported: methods }: Metadata): Finding => {
  if (methods === undefined)
    return note('It does not say whether it knows PKCE (S256), which every sign-in here uses; most that say nothing do.')
  if (methods.includes('S256')) return fine('It knows PKCE (S256).')
  return fault(
    'It does not know PKCE with S256, without which nobody signs in here: switch it on there, or use another provider.',
  )
}

const listMissing = (offered: readonly string[] | undefined, wanted: readonly string[]): readonly string[] =>
  offered === undefined ? [] : wanted.filter((one) => !offered.includes(one))

/** Everything in the provider's own description that a sign-in would stumble over, or that may be worth a look. */
export const checkMetadata = (metadata: Metadata, settings: OauthSettings): readonly Finding[] => {
  const absent = endpoints.filter((name) => !metadata[name])
  const isPlain = endpoints.filter((name) => metadata[name]?.startsWith('http:') && settings.issuer.startsWith('https:'))
  const scopes = listMissing(metadata.scopes_supported, settings.scopes.split(' '))
  // A nested claim is listed by its outermost name, if at all.
  const claim = settings.groupsClaim?.claim
  const isClaimListed = [claim, claim?.split('.', 1)[0]].some((name) => name && metadata.claims_supported?.includes(name))
  return [
    checkIssuer(metadata, settings),
    ...absent.map((name) =>
      fault(`It names no ${name}: that is no OpenID provider to sign in with, or the issuer is not its address.`),
    ),
    ...isPlain.map((name) => fault(`Its ${name} is plain HTTP, which sign-ins never use.`)),
    checkPkce(metadata),
    ...listMissing(metadata.response_types_supported, ['code']).map(() => fault('It does not offer the code flow.')),
    ...(scopes.length > 0
      ? [note(`It does not list the scopes ${scopes.join(', ')} of auth.oauth.scopes; it may know them still.`)]
      : []),
    ...(claim !== undefined && metadata.claims_supported !== undefined && !isClaimListed
      ? [note(`It does not list the claim ${claim} of auth.oauth.groupsClaim; it may send it still.`)]
      : []),
  ]
}
