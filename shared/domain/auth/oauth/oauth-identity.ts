import type { OauthSettings } from './oauth-config.ts'

type Claims = Readonly<Record<string, unknown>>

/** An identity as authenticated by a provider. */
export type OauthIdentity = {
  /** `issuer|sub`. */
  readonly subject: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  readonly displayName: string | undefined
  /** Values of the groups claim; undefined if none is configured. */
  readonly groupValues: readonly string[] | undefined
  /** Why `groupValues` may be incomplete. */
  readonly groupsFault?: string
}

const valuesMax = 500
const valueLengthMax = 256

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value)
const ownOf = (claims: unknown, key: string): unknown => {
  if (Array.isArray(claims)) return /^\d{1,4}$/.test(key) ? claims[Number(key)] : undefined
  return isObject(claims) && Object.hasOwn(claims, key) ? claims[key] : undefined
}

/** The claim of that name or, if there is none, the one at that path. Names may contain dots, claims may be nested, and `emails.0` is the first entry of a list. */
export const readClaim = (claims: Claims, name: string): unknown =>
  ownOf(claims, name) ?? name.split('.').reduce<unknown>(ownOf, claims)

const readText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim() !== '' ? value : undefined)

/** Entra sends `xms_edov` as text or number, Cognito and JumpCloud send `email_verified` as text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1'

/** Entries of a groups claim: of a list, the keys of an object, or a text. A text with commas counts as a whole and as its parts. */
const listEntries = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  if (isObject(value)) return Object.keys(value).filter((key) => value[key] !== false && value[key] !== null)
  if (typeof value === 'string' && value.includes(',')) return [value, ...value.split(',').map((part) => part.trim())]
  return value === undefined || value === null ? [] : [value]
}

/** OpenID Connect Core, section 5.6.2: names of claims to be read from another address. */
const distributedClaims = '_claim_names'

/** For a person with many groups, Entra replaces the groups by the address of another resource. */
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

/** Whether these claims are complete; if not, userinfo is read too. */
export const holdsAllClaims = (claims: Claims, { claims: names, groupsClaim }: OauthSettings): boolean =>
  [names.email, names.emailVerified, ...(groupsClaim ? [groupsClaim.claim] : [])].every(
    (name) => readClaim(claims, name) !== undefined,
  ) && names.displayName.some((name) => readClaim(claims, name) !== undefined)

/** Email and verification come from the same source: a verification applies to the email next to it. */
const readEmail = (sources: readonly Claims[], { email, emailVerified }: OauthSettings['claims']) => {
  const source = sources.find((claims) => readText(readClaim(claims, email)) !== undefined)
  const address = source && readText(readClaim(source, email))
  const isSame = (claims: Claims) => readText(readClaim(claims, email)) === address
  const verified = sources.filter(isSame).map((claims) => readClaim(claims, emailVerified))
  return { email: address, emailVerified: address !== undefined && isTrue(verified.find((value) => value !== undefined)) }
}

/** The identity by the claims of `sources`. Earlier sources take precedence: the ID token before userinfo. */
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
