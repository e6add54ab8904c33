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
  /** Why groups of this person may be missing in `groupValues`. */
  readonly groupsFault?: string
}

const valuesMax = 500
const valueLengthMax = 256

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value)
const ownOf = (claims: unknown, key: string): unknown => {
  if (Array.isArray(claims)) return /^\d{1,4}$/.test(key) ? claims[Number(key)] : undefined
  return isObject(claims) && Object.hasOwn(claims, key) ? claims[key] : undefined
}

/** The claim of that name or, where there is none, the one at that path: names may hold dots, claims may be nested, and `emails.0` is the first entry of a list. */
export const readClaim = (claims: Claims, name: string): unknown =>
  ownOf(claims, name) ?? name.split('.').reduce<unknown>(ownOf, claims)

const readText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/** Entra sends `xms_edov` as text or number, Cognito and JumpCloud send `email_verified` as text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1'

/** Entries of a groups claim: of a list, the keys of an object, or a text, whole and as parts between commas. */
const listEntries = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  if (isObject(value)) return Object.keys(value).filter((key) => value[key] !== false && value[key] !== null)
  if (typeof value === 'string' && value.includes(',')) return [value, ...value.split(',').map((part) => part.trim())]
  return value === undefined || value === null ? [] : [value]
}

/** OpenID Connect Core, section 5.6.2: names of claims that are at another address. */
const distributedClaims = '_claim_names'

/** Entra leaves the groups of a person with many of them out of the token, and names another address for them. */
const isOverage = (claims: Claims, claim: string): boolean =>
  isTrue(claims.hasgroups) || ownOf(claims[distributedClaims], claim) !== undefined

const readGroups = (sources: readonly Claims[], claim: string): Pick<OauthIdentity, 'groupValues' | 'groupsFault'> => {
  const value = sources.map((claims) => readClaim(claims, claim)).find((one) => one !== undefined)
  if (value === undefined && sources.some((claims) => isOverage(claims, claim)))
    return {
      groupValues: [],
      groupsFault: `the provider left "${claim}" out because this person has too many groups; at Entra, send only groups assigned to the application, or app roles`,
    }
  const entries = listEntries(value).filter((entry) => entry !== '')
  const texts = entries
    .map((entry) => (typeof entry === 'number' ? String(entry) : entry))
    .filter((entry): entry is string => typeof entry === 'string' && entry.length <= valueLengthMax)
  const groupValues = [...new Set(texts)].slice(0, valuesMax)
  if (texts.length === entries.length && new Set(texts).size <= valuesMax) return { groupValues }
  const limits = `at most ${valuesMax} texts of at most ${valueLengthMax} characters are read`
  return { groupValues, groupsFault: `not every entry of "${claim}" could be read: ${limits}` }
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
  return { email: address, emailVerified: address !== undefined && isTrue(verified.find((value) => value !== undefined)) }
}

/** Who it is by the claims of `sources`, of which an earlier one counts more: the ID token before userinfo. */
export const readIdentity = (subject: string, sources: readonly Claims[], settings: OauthSettings): OauthIdentity => {
  const { claims: names, groupsClaim } = settings
  const findClaim = (name: string) => sources.map((claims) => readClaim(claims, name)).find((value) => value !== undefined)
  return {
    subject,
    ...readEmail(sources, names),
    displayName: names.displayName.map((name) => readText(findClaim(name))).find((name) => name !== undefined),
    ...(groupsClaim === undefined ? { groupValues: undefined } : readGroups(sources, groupsClaim.claim)),
  }
}
