import { AppError } from '../../../kernel/errors.ts'
import { IssuerFault } from './oauth-request.ts'

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** An error and what it was caused by, outermost first. */
const chainOf = (error: unknown): Fields[] => {
  const chain: Fields[] = []
  for (let at = error; isObject(at) && chain.length < 8; at = at.cause) chain.push(at)
  return chain
}

const find = (chain: readonly Fields[], key: string): unknown => chain.find((one) => one[key] !== undefined)?.[key]

/** Codes of OAuth (RFC 6749, sections 4.1.2.1 and 5.2) are plain words; anything else is not repeated. */
const readOauthCode = (value: unknown): string | undefined => {
  const code = textOf(value)
  return code !== undefined && /^[a-z_]{1,40}$/.test(code) ? code : undefined
}

const readTimes = (cause: Fields | undefined): string => {
  const { claims, claim, now } = cause ?? {}
  const value = isObject(claims) && typeof claim === 'string' ? claims[claim] : undefined
  if (typeof value !== 'number' || typeof now !== 'number') return ''
  return `: its ${claim} is ${Math.round(value - now)} s from now, so look at the clocks of both machines`
}

/** What happened in words for the log: messages and codes only, for what the library attaches holds tokens and codes. */
const describe = (chain: readonly Fields[]): string => {
  const oauthCode = readOauthCode(find(chain, 'error'))
  if (oauthCode !== undefined) return `the identity provider answered "${oauthCode}"`
  const status = chain.find((one) => one instanceof Response)?.status
  if (typeof status === 'number') return `the identity provider answered with status ${status}`
  const details = chain.find((one) => isObject(one.claims) || one.attribute !== undefined)
  const named = textOf(details?.claim) ?? textOf(details?.attribute)
  // A parser quotes what it could not read.
  const messages = chain
    .filter((one) => one instanceof Error && !(one instanceof SyntaxError))
    .flatMap(({ message }) => textOf(message) ?? [])
  const code = textOf(find(chain, 'code'))
  return [
    [...new Set(messages)].join(': ') || 'unknown',
    named === undefined ? '' : ` (${named})`,
    code === undefined ? '' : ` [${code}]`,
    code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? readTimes(details) : '',
  ].join('')
}

const unavailableCodes = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_JSON'])
const busyCodes = new Set(['server_error', 'temporarily_unavailable', 'slow_down'])
const declinedCodes = new Set(['access_denied', 'consent_required', 'interaction_required', 'login_required'])

const isOutage = (chain: readonly Fields[]): boolean => {
  if (chain.some((one) => one instanceof IssuerFault)) return true
  const oauthCode = readOauthCode(find(chain, 'error'))
  if (oauthCode !== undefined) return busyCodes.has(oauthCode)
  const status = chain.find((one) => one instanceof Response)?.status
  if (typeof status === 'number') return status >= 500 || status === 429
  const code = textOf(find(chain, 'code')) ?? ''
  // What fetch throws when there is no connection.
  const isUnreachable = chain[0] instanceof TypeError && !code.startsWith('ERR_INVALID_ARG')
  return isUnreachable || unavailableCodes.has(code)
}

const unavailable = (reason: string) =>
  new AppError(
    'unavailable',
    'identity-provider-unavailable',
    'The identity provider does not answer as it should; begin the sign-in anew in a moment.',
    { cause: new Error(reason), retryAfterSeconds: 10 },
  )

/** Of what the library threw while it read what the provider says of itself: whatever it is, nobody can sign in. */
export const discoveryFault = (error: unknown): AppError =>
  error instanceof AppError ? error : unavailable(`discovery failed: ${describe(chainOf(error))}`)

/** Of what the library threw while it exchanged a code or checked what that brought; the cause says why, and holds nothing secret. */
export const exchangeFault = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const chain = chainOf(error)
  const reason = describe(chain)
  if (isOutage(chain)) return unavailable(reason)
  const cause = new Error(reason)
  if (declinedCodes.has(readOauthCode(find(chain, 'error')) ?? ''))
    return new AppError('unauthenticated', 'consent-refused', 'The sign-in was declined at the identity provider.', { cause })
  return exchangeRefused(cause)
}

/** The one refusal of everything that the provider said and that does not prove who it is. */
export const exchangeRefused = (cause: Error): AppError =>
  new AppError(
    'unauthenticated',
    'exchange-refused',
    'The identity provider did not vouch for this sign-in in a way that can be trusted; begin it anew.',
    { cause },
  )

const codeOf = (error: unknown): unknown => find(chainOf(error), 'code')

/** Whether newer keys of the provider could make the difference. */
export const isKeyFault = (error: unknown): boolean =>
  codeOf(error) === 'OAUTH_KEY_SELECTION_FAILED' || codeOf(error) === 'OAUTH_INVALID_RESPONSE'

/** Whether the provider did not know this server by the way in which it showed its secret. */
export const isClientFault = (error: unknown): boolean => {
  const chain = chainOf(error)
  if (readOauthCode(find(chain, 'error')) === 'invalid_client') return true
  return codeOf(error) === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE'
}
