import { Type } from '@sinclair/typebox'
import type { OauthSettings } from '../../shared/domain/auth/oauth/oauth-config.ts'
import { type OauthIdentity, readClaim, readIdentity } from '../../shared/domain/auth/oauth/oauth-identity.ts'
import { vouchedBy } from '../../shared/domain/auth/oauth/oauth-provider.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { describeEffect } from './check-accounts.ts'
import { type Finding, fault, fine, isOfIssuer, note } from './check-provider.ts'
import { type RehearsalDeps, rehearseSignIn } from './rehearse-sign-in.ts'

const Claims = Type.Record(Type.String(), Type.Unknown())
const parseClaims = createParser(Type.Union([Claims, Type.Array(Claims)]))

/** A possible sign-in, and its name in the report. */
export type Candidate = { readonly name: string; readonly identity: OauthIdentity }

/** Claims as the identity provider sends them, one object or a list. Throws an Error that names the fault. */
export const readCandidates = (text: string, settings: OauthSettings): readonly Candidate[] => {
  const parsed = parseClaims(parseJson(text))
  if (!parsed.ok) throw new Error('The claims are not a JSON object or a list of objects.')
  const all = Array.isArray(parsed.value) ? parsed.value : [parsed.value]
  return all.map((claims, at) => {
    const subject = readClaim(claims, settings.claims.subject)
    if (typeof subject !== 'string' && typeof subject !== 'number')
      throw new Error(`The claims ${at + 1} have no subject: "${settings.claims.subject}" is missing.`)
    const { iss } = claims
    const issuer = typeof iss === 'string' && isOfIssuer(`${iss}|`, settings.issuer) ? iss : settings.issuer
    const identity = readIdentity(`${issuer}|${subject}`, [claims], settings)
    return { name: identity.email ?? String(subject), identity }
  })
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The owner of a verified email at the provider, with these values in the groups claim. */
export const findCandidate = async (
  { accountStore }: Pick<RehearsalDeps, 'accountStore'>,
  { email, values }: { readonly email: string; readonly values: readonly string[] },
  { issuer }: OauthSettings,
): Promise<Candidate> => {
  const known = (await accountStore.findByEmail(email))?.subject
  const subject = known && isOfIssuer(known, issuer) ? known : `${issuer}|somebody`
  return { name: email, identity: { subject, email, emailVerified: true, displayName: undefined, groupValues: values } }
}

/** The effect of a sign-in with these claims, by the rules of a sign-in; a fault if it is refused. */
export const describeCandidate = async (
  deps: RehearsalDeps,
  { name, identity }: Candidate,
  settings: OauthSettings,
): Promise<readonly Finding[]> => {
  const rehearsed = await rehearseSignIn(deps, vouchedBy(identity, settings))
  const text = `${name} ${describeEffect(rehearsed) ?? 'keeps its groups'}`
  const { groupsFault } = identity
  return [
    rehearsed.refusal === undefined ? fine(text) : fault(text),
    ...(groupsFault === undefined ? [] : [note(`${name}: ${groupsFault}.`)]),
  ]
}
