import { Type } from '@sinclair/typebox'
import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { Clock } from '../../../kernel/clock.ts'
import { createParser } from '../../../kernel/schema.ts'
import { type ConfiguredClient, clockToleranceSeconds } from './oauth-client.ts'
import type { OauthSettings } from './oauth-config.ts'
import { exchangeRefused } from './oauth-faults.ts'
import { holdsAllClaims, type OauthIdentity, readClaim, readIdentity } from './oauth-identity.ts'
import { IssuerFault } from './oauth-request.ts'

type Claims = Readonly<Record<string, unknown>>

/** The checked tokens of an exchanged code, before the identity is read. */
export type Granted = ConfiguredClient & { readonly tokens: TokenEndpointResponse & TokenEndpointResponseHelpers }

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
export const readGranted = (granted: Granted, settings: OauthSettings, clock: Clock): Promise<OauthIdentity> =>
  settings.endpoints === undefined ? readOidc(granted, settings, clock) : readUserinfo(granted, settings)
