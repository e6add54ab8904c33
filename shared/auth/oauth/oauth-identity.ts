import type { OauthSettings } from './oauth-settings.ts'

type Claims = Readonly<Record<string, unknown>>

/** What an identity provider vouches for, in our words. */
export type OauthIdentity = {
  /** `issuer|sub`. */
  readonly subject: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  readonly displayName: string | undefined
  /** What the groups claim holds; undefined where none is asked for. */
  readonly groupValues: readonly string[] | undefined
}

const valuesMax = 500
const valueLengthMax = 256

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value)
const ownOf = (claims: unknown, key: string): unknown =>
  isObject(claims) && Object.hasOwn(claims, key) ? claims[key] : undefined

/** The claim of that name or, where there is none, the one at that path: names may hold dots, and claims may be nested. */
export const readClaim = (claims: Claims, name: string): unknown =>
  ownOf(claims, name) ?? name.split('.').reduce<unknown>(ownOf, claims)

const readText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

const readValues = (value: unknown): readonly string[] => {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = values.filter((one): one is string => typeof one === 'string' && one !== '' && one.length <= valueLengthMax)
  return [...new Set(texts)].slice(0, valuesMax)
}

/** Whether everything that is asked for stands in these claims; where not, userinfo is worth a look. */
export const holdsAllClaims = (claims: Claims, { claims: names, groupsClaim }: OauthSettings): boolean =>
  [names.email, names.emailVerified, ...(groupsClaim ? [groupsClaim.claim] : [])].every(
    (name) => readClaim(claims, name) !== undefined,
  ) && names.displayName.some((name) => readClaim(claims, name) !== undefined)

/** An email and whether it is verified come from one and the same place: a verification is of the email beside it. */
const readEmail = (sources: readonly Claims[], { email, emailVerified }: OauthSettings['claims']) => {
  const source = sources.find((claims) => readText(readClaim(claims, email)) !== undefined)
  const address = source && readText(readClaim(source, email))
  const isSame = (claims: Claims) => readText(readClaim(claims, email)) === address
  const verified = sources.filter(isSame).map((claims) => readClaim(claims, emailVerified))
  return { email: address, emailVerified: address !== undefined && verified.find((value) => value !== undefined) === true }
}

/** Who it is by the claims of `sources`, of which an earlier one counts more: the ID token before userinfo. */
export const readIdentity = (subject: string, sources: readonly Claims[], settings: OauthSettings): OauthIdentity => {
  const { claims: names, groupsClaim } = settings
  const findClaim = (name: string) => sources.map((claims) => readClaim(claims, name)).find((value) => value !== undefined)
  return {
    subject,
    ...readEmail(sources, names),
    displayName: names.displayName.map((name) => readText(findClaim(name))).find((name) => name !== undefined),
    groupValues: groupsClaim && readValues(findClaim(groupsClaim.claim)),
  }
}
