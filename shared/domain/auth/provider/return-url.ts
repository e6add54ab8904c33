import { AppError } from '../../../kernel/errors.ts'
import { hostOf, isLoopback } from '../../../kernel/loopback.ts'

const lengthMax = 2048

/** Printable ASCII without what browsers and servers read in different ways. */
const sane = /^https?:\/\/[^/\\?#@\s]+(?:[/?][!-"$-[\]-~]*)?$/i
/** Encoded, these would pass a comparison and be something else behind it; a second round of encoding hides them, and so does a path parameter. */
const disguised = /%(?:2e|2f|5c|25|[01][0-9a-f]|7f)|\/\.{1,2};/i
/** Overlong UTF-8, and percent signs that encode nothing until they are decoded twice, hide them as well. */
const isWellEncoded = (path: string): boolean => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
const isAscii = (text: string): boolean => /^[!-~]+$/.test(text)

/** `text` as a URL that means the same to everybody, its dot segments resolved; undefined for anything else. */
const parseSane = (text: string): URL | undefined => {
  if (text.length > lengthMax || !isAscii(text) || !sane.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username || url.password || url.hash) return undefined
  if (url.protocol === 'http:' && !isLoopback(hostOf(url))) return undefined
  // What is compared with the list is the path; a query is the page's own affair.
  const rawPath = text.split('?', 1)[0] ?? ''
  if (!isWellEncoded(rawPath) || disguised.test(rawPath) || url.pathname.includes('//')) return undefined
  return url
}

/** Why `entry` cannot stand in `auth.oauth.allowedReturnUrls`, or undefined if it can. */
export const describeReturnUrlProblem = (entry: string): string | undefined => {
  const url = parseSane(entry)
  if (url === undefined || entry.includes('*'))
    return `"${entry}" is not a return address: write it as https://game.example.org/play, without user name, fragment, wildcard or encoded slashes (http:// is for this machine only)`
  return url.search === '' && !entry.includes('?') ? undefined : `"${entry}" holds a query: end it before the question mark`
}

/** Native clients listen on any free port (RFC 8252, section 7.3): an entry on loopback without a port stands for any. */
const isSameOrigin = (url: URL, entry: URL): boolean => {
  if (url.origin === entry.origin) return true
  const isAnyPort = entry.protocol === 'http:' && entry.port === ''
  return isAnyPort && url.protocol === 'http:' && url.hostname === entry.hostname
}

const isBelow = (path: string, prefix: string): boolean =>
  path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)

/**
 * `returnUrl` in its normal form if an entry of `allowed` has its exact origin and its path, or one above it. Throws AppError `invalid` `return-url-not-allowed` for every other, and for what browsers might read in another way.
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
    'This server sends nobody to that return address; an operator lists those that it may in `auth.oauth.allowedReturnUrls` of `server.yaml`.',
  )
}
