import { Type } from '@sinclair/typebox'
import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { Clock } from '../../../kernel/clock.ts'
import { createParser } from '../../../kernel/schema.ts'
import { type ConfiguredClient, clockToleranceSeconds } from './oauth-client.ts'
import { exchangeRefused } from './oauth-faults.ts'
import { holdsAllClaims, type OauthIdentity, readClaim, readIdentity } from './oauth-identity.ts'
import { IssuerFault } from './oauth-request.ts'
import type { OauthSettings } from './oauth-settings.ts'

type Claims = Readonly<Record<string, unknown>>

/** A code exchanged: the tokens are checked, and who they are of is yet to be read. */
export type Granted = ConfiguredClient & { readonly tokens: TokenEndpointResponse & TokenEndpointResponseHelpers }

const parseClaims = createParser(Type.Record(Type.String(), Type.Unknown()))

const readSubject = (claims: Claims, name: string): string => {
  const value = readClaim(claims, name)
  const subject = Number.isSafeInteger(value) ? String(value) : value
  if (typeof subject === 'string' && subject.length > 0 && subject.length <= 1024) return subject
  throw exchangeRefused(new Error(`the identity provider names no subject in the claim "${name}"`))
}

const notJson = (): never => {
  throw new IssuerFault('userinfo is no JSON')
}

/** By plain OAuth 2.0: whatever the userinfo address says to this access token. */
const readUserinfo = async ({ client, config, tokens }: Granted, settings: OauthSettings): Promise<OauthIdentity> => {
  const address = new URL(settings.endpoints?.userinfo ?? settings.issuer)
  const response = await client.fetchProtectedResource(config, tokens.access_token, address, 'GET')
  if (response.status !== 200) throw new Error('userinfo was refused', { cause: response })
  const claims = parseClaims(await response.json().catch(notJson))
  if (!claims.ok) throw exchangeRefused(new Error('userinfo is not an object'))
  return readIdentity(`${settings.issuer}|${readSubject(claims.value, settings.claims.subject)}`, [claims.value], settings)
}

/** By OpenID Connect: the ID token and, where it leaves something open, userinfo of the same subject. */
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

/** Who signed in; throws AppError `unauthenticated` `exchange-refused`, or what the library throws. */
export const readGranted = (granted: Granted, settings: OauthSettings, clock: Clock): Promise<OauthIdentity> =>
  settings.endpoints === undefined ? readOidc(granted, settings, clock) : readUserinfo(granted, settings)
