import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Ids } from '../../kernel/ids.ts'
import type { Store } from '../../platform/storage/store.ts'
import { findUpgradeSecret } from './upgrade-secret.ts'

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
const readClientAddress = (req: IncomingMessage, trustedProxies: number): string => {
  const peer = req.socket.remoteAddress ?? ''
  const forwarded = trustedProxies === 0 ? undefined : req.headers['x-forwarded-for']
  if (forwarded === undefined) return parseAddress(peer) ?? peer
  const hops = String(forwarded).split(',')
  const claimed = hops[Math.max(0, hops.length - trustedProxies)]?.trim() ?? ''
  return parseAddress(claimed) ?? parseAddress(peer) ?? peer
}

/** Configs with the number of trusted proxies. The service of configs is a later feature. */
type ProxyConfigs = { get(name: 'server.yaml'): { readonly http: { readonly trustedProxies: number } } }

/** The address of the client, by the current `http.trustedProxies`. */
export const clientAddressOf = ({ configs }: { readonly configs: ProxyConfigs }, req: IncomingMessage): string =>
  readClientAddress(req, configs.get('server.yaml').http.trustedProxies)

/** Header of a forwarded upgrade: the client's address as the first process saw it, and its seal. */
const header = 'x-gatehouse-client'

/** Client addresses of requests, including upgrades that another process forwarded. */
export type ClientAddresses = {
  /** The client's address: the sealed one of another process, otherwise according to `http.trustedProxies`. */
  of(request: IncomingMessage): string
  /** Whether another process of this deployment forwarded the upgrade. */
  isHandedOn(request: IncomingMessage): boolean
  /** Adds the sealed address to an upgrade before it is forwarded, replacing any header of the client. */
  handOn(request: IncomingMessage): void
}

type ClientAddressesOptions = {
  /** Shared by the processes of one deployment. Without it, forwarded addresses are neither trusted nor sent. */
  readonly secret?: string
  readonly trustedProxies: () => number
}

export const createClientAddresses = ({ secret, trustedProxies }: ClientAddressesOptions): ClientAddresses => {
  // The key of the handshake is random, so a captured seal does not fit another upgrade.
  const seal = (address: string, { headers }: IncomingMessage): Buffer =>
    createHmac('sha256', secret ?? '')
      .update(`${address}\n${headers['sec-websocket-key'] ?? ''}`)
      .digest()

  const findSealed = (request: IncomingMessage): string | undefined => {
    const sent = request.headers[header]
    if (secret === undefined || typeof sent !== 'string') return undefined
    const [address = '', text = ''] = sent.split(';')
    const sentSeal = Buffer.from(text, 'base64url')
    const expected = seal(address, request)
    return sentSeal.length === expected.length && timingSafeEqual(sentSeal, expected) ? address : undefined
  }
  const of = (request: IncomingMessage): string => findSealed(request) ?? readClientAddress(request, trustedProxies())

  return {
    of,
    isHandedOn: (request) => findSealed(request) !== undefined,
    handOn: (request) => {
      const address = of(request)
      if (secret === undefined) delete request.headers[header]
      else request.headers[header] = `${address};${seal(address, request).toString('base64url')}`
    },
  }
}

type ClientAddressesDeps = {
  readonly store: Pick<Store, 'get' | 'put'>
  readonly ids: Pick<Ids, 'secret'>
  readonly configs: ProxyConfigs
}

/** Client addresses of a process that uses `services`. Throws AppError `unavailable` while the store is unreachable. */
export const openClientAddresses = async ({ store, ids, configs }: ClientAddressesDeps): Promise<ClientAddresses> =>
  createClientAddresses({
    secret: await findUpgradeSecret(store, ids),
    trustedProxies: () => configs.get('server.yaml').http.trustedProxies,
  })
