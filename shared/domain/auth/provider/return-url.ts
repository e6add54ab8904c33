import { AppError } from '../../../kernel/errors.ts'
import { hostOf, isLoopback } from '../../../kernel/loopback.ts'

const lengthMax = 2048

/** Printable ASCII without characters that browsers and servers read differently. */
const sane = /^https?:\/\/[^/\\?#@\s]+(?:[/?][!-"$-[\]-~]*)?$/i
/** Encoded characters that would change their meaning after a comparison, doubly encoded ones, and dot segments with a path parameter. */
const disguised = /%(?:2e|2f|5c|25|[01][0-9a-f]|7f)|\/\.{1,2};/i
/** Rejects overlong UTF-8 and stray percent signs, which can hide the same. */
const isWellEncoded = (path: string): boolean => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
const isAscii = (text: string): boolean => /^[!-~]+$/.test(text)

/** `text` as an unambiguous URL with dot segments resolved; undefined for anything else. */
const parseSane = (text: string): URL | undefined => {
  if (text.length > lengthMax || !isAscii(text) || !sane.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username || url.password || url.hash) return undefined
  if (url.protocol === 'http:' && !isLoopback(hostOf(url))) return undefined
  // Only the path is compared with the list; the query belongs to the page.
  const rawPath = text.split('?', 1)[0] ?? ''
  if (!isWellEncoded(rawPath) || disguised.test(rawPath) || url.pathname.includes('//')) return undefined
  return url
}

/** Why `entry` is not allowed in `auth.oauth.allowedReturnUrls`, or undefined if it is. */
export const describeReturnUrlProblem = (entry: string): string | undefined => {
  const url = parseSane(entry)
  if (url === undefined || entry.includes('*'))
    return `"${entry}" is not a return address: write it as https://game.example.org/play, without user name, fragment, wildcard or encoded slashes (http:// is for this machine only)`
  return url.search === '' && !entry.includes('?') ? undefined : `"${entry}" has a query: end it before the question mark`
}

/** Native clients listen on any free port (RFC 8252, section 7.3): a loopback entry without a port matches every port. */
const isSameOrigin = (url: URL, entry: URL): boolean => {
  if (url.origin === entry.origin) return true
  const isAnyPort = entry.protocol === 'http:' && entry.port === ''
  return isAnyPort && url.protocol === 'http:' && url.hostname === entry.hostname
}

const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)

/**
 * `returnUrl` in its normal form if an entry of `allowed` has its exact origin, and its path or a parent path. Otherwise, and for addresses
 * that browsers might read differently, throws AppError `invalid` `return-url-not-allowed`.
 */
export const matchReturnUrl = (returnUrl: string, allowed: readonly string[]): string => {
  const url = parseSane(returnUrl)
  const isAllowed = allowed.some((text) => {
    const entry = parseSane(text)
    return url && entry && isSameOrigin(url, entry) && isBelow(url.pathname, entry.pathname)
  })
  if (url !== undefined && isAllowed) return url.href
  throw new AppError(
    'invalid',
    'return-url-not-allowed',
    'This return address is not allowed. An operator can add it to `auth.oauth.allowedReturnUrls` in `server.yaml`.',
  )
}
