import type { IncomingHttpHeaders } from 'node:http'
import { isAllowedOrigin, type PageRules } from '../../../shared/domain/auth/page-origins.ts'

export type OriginRules = PageRules & {
  /** The public address of the server. */
  readonly baseUrl: string
}

/**
 * The host that the client requested, as the outermost trusted proxy saw it. Without trusted proxies, forwarded headers are
 * ignored.
 */
const askedHosts = (headers: IncomingHttpHeaders, trustedProxies: number): readonly string[] => {
  const forwarded = trustedProxies > 0 ? String(headers['x-forwarded-host'] ?? '') : ''
  const hops = forwarded.split(',').map((host) => host.trim())
  const outermost = hops[Math.max(0, hops.length - trustedProxies)] ?? ''
  return [headers.host ?? '', outermost].filter((host) => host !== '').map((host) => host.toLowerCase())
}

/**
 * Whether a page of `headers.origin` may open a feed: pages of the server itself (`baseUrl` or the requested host) and of allowed
 * origins. Clients other than browsers send no origin and are allowed.
 */
export const isOwnOrigin = (headers: IncomingHttpHeaders, rules: OriginRules): boolean => {
  const { origin } = headers
  const { baseUrl, trustedProxies } = rules
  if (origin === undefined || isAllowedOrigin(headers, rules)) return true
  if (!URL.canParse(origin)) return false
  const { protocol, host, origin: own } = new URL(origin)
  if (host === '' || own !== origin) return false
  const asked = askedHosts(headers, trustedProxies).map((name) => `${protocol}//${name}`)
  return [baseUrl, ...asked].some((address) => URL.canParse(address) && new URL(address).origin === origin)
}
