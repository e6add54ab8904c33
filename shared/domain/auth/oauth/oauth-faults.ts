import { AppError } from '../../../kernel/errors.ts'
import { IssuerFault } from './oauth-request.ts'

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** An error and its causes, outermost first. */
const chainOf = (error: unknown): Fields[] => {
  const chain: Fields[] = []
  for (let at = error; isObject(at) && chain.length < 8; at = at.cause) chain.push(at)
  return chain
}

const find = (chain: readonly Fields[], key: string): unknown => chain.find((one) => one[key] !== undefined)?.[key]

/** A code of OAuth (RFC 6749, sections 4.1.2.1 and 5.2) if it is a plain word; other text is not repeated. */
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

/** A description for the log from messages and codes only: other attachments of the library contain tokens and codes. */
const describe = (chain: readonly Fields[]): string => {
  const oauthCode = readOauthCode(find(chain, 'error'))
  if (oauthCode !== undefined) return `the identity provider answered "${oauthCode}"`
  const status = chain.find((one) => one instanceof Response)?.status
  if (typeof status === 'number') return `the identity provider answered with status ${status}`
  const details = chain.find((one) => isObject(one.claims) || one.attribute !== undefined)
  const named = textOf(details?.claim) ?? textOf(details?.attribute)
  // A parser quotes its input, which may be secret.
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
  // `fetch` throws a TypeError if there is no connection.
  const isUnreachable = chain[0] instanceof TypeError && !code.startsWith('ERR_INVALID_ARG')
  return isUnreachable || unavailableCodes.has(code)
}

const unavailable = (reason: string) =>
  new AppError(
    'unavailable',
    'identity-provider-unavailable',
    'The identity provider does not respond correctly. Sign in again in a moment.',
    { cause: new Error(reason), retryAfterSeconds: 10 },
  )

/** The error of a failed discovery. Whatever the library threw, no one can sign in. */
export const discoveryFault = (error: unknown): AppError =>
  error instanceof AppError ? error : unavailable(`discovery failed: ${describe(chainOf(error))}`)

/** The error of a failed code exchange or check. Its cause has the reason and contains no secret. */
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

/** The refusal of every answer of the provider that does not prove an identity. */
export const exchangeRefused = (cause: Error): AppError =>
  new AppError(
    'unauthenticated',
    'exchange-refused',
    'Your sign-in at the identity provider could not be verified. Sign in again.',
    { cause },
  )

const codeOf = (error: unknown): unknown => find(chainOf(error), 'code')

/** Whether newer keys of the provider may fix the error. */
export const isKeyFault = (error: unknown): boolean =>
  codeOf(error) === 'OAUTH_KEY_SELECTION_FAILED' || codeOf(error) === 'OAUTH_INVALID_RESPONSE'

/** Whether the provider rejected the way in which this server sent its secret. */
export const isClientFault = (error: unknown): boolean => {
  const chain = chainOf(error)
  if (readOauthCode(find(chain, 'error')) === 'invalid_client') return true
  return codeOf(error) === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE'
}
