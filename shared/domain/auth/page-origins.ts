import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackHost, isLoopbackOrigin } from '../../kernel/loopback.ts'

export type PageRules = {
  readonly allowedOrigins: readonly string[]
  /** Proxies of ours in front; with any, who asks is not on this machine. */
  readonly trustedProxies: number
  /** Whether the server listens on loopback only, and is known by no other address. */
  readonly loopbackPages: boolean
}

/**
 * Whether pages of `headers.origin` may call: those of a listed origin. While the server is for this machine alone, also those that
 * this machine serves. A server asked for by another name has something in front of it, and is not.
 */
export const isAllowedOrigin = (
  { origin, host }: IncomingHttpHeaders,
  { allowedOrigins, trustedProxies, loopbackPages }: PageRules,
): boolean =>
  origin !== undefined &&
  (allowedOrigins.includes(origin) || (loopbackPages && trustedProxies === 0 && isLoopbackHost(host) && isLoopbackOrigin(origin)))
