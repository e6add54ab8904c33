import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

const withPort = /^(?:\[([0-9A-Fa-f:.]+)\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/

/** One spelling for an address: without port, brackets or IPv4-in-IPv6 prefix; undefined if it is not an address. */
const parseAddress = (text: string): string | undefined => {
  const match = withPort.exec(text)
  const bare = match?.[1] ?? match?.[2] ?? text
  const address = bare.toLowerCase().startsWith('::ffff:') && isIP(bare.slice(7)) === 4 ? bare.slice(7) : bare
  return isIP(address) === 0 ? undefined : address
}

/**
 * The address of the client. Without `trustedProxies` it is the peer. With n trusted hops it is the address that the outermost of them
 * wrote into `X-Forwarded-For`. Entries further left are the client's own claim and are ignored.
 */
export const readClientAddress = (req: IncomingMessage, trustedProxies: number): string => {
  const peer = req.socket.remoteAddress ?? ''
  const forwarded = trustedProxies === 0 ? undefined : req.headers['x-forwarded-for']
  if (forwarded === undefined) return parseAddress(peer) ?? peer
  const hops = String(forwarded).split(',')
  const claimed = hops[Math.max(0, hops.length - trustedProxies)]?.trim() ?? ''
  return parseAddress(claimed) ?? parseAddress(peer) ?? peer
}

/** Configs with the number of trusted proxies. The service of configs is a later feature. */
export type ProxyConfigs = { get(name: 'server.yaml'): { readonly http: { readonly trustedProxies: number } } }

/** The address of the client, by the current `http.trustedProxies`. */
export const clientAddressOf = ({ configs }: { readonly configs: ProxyConfigs }, req: IncomingMessage): string =>
  readClientAddress(req, configs.get('server.yaml').http.trustedProxies)
