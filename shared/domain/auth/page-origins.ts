import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackHost, isLoopbackOrigin } from '../../kernel/loopback.ts'

export type PageRules = {
  readonly allowedOrigins: readonly string[]
  /** Number of trusted proxies. With any, the client is not assumed to be on this machine. */
  readonly trustedProxies: number
  /** Whether the server listens only on loopback and has no other public address. */
  readonly loopbackPages: boolean
}

/**
 * Whether pages of `headers.origin` may call. Pages of listed origins may. While the server is for this machine only, pages served by this
 * machine may too. A `Host` other than loopback means a proxy in front of the server, so this does not apply.
 */
export const isAllowedOrigin = (
  { origin, host }: IncomingHttpHeaders,
  { allowedOrigins, trustedProxies, loopbackPages }: PageRules,
): boolean =>
  origin !== undefined &&
  (allowedOrigins.includes(origin) || (loopbackPages && trustedProxies === 0 && isLoopbackHost(host) && isLoopbackOrigin(origin)))
