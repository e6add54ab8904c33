import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Ids } from '../../kernel/ids.ts'
import type { Store } from '../../platform/storage/store.ts'
import { type ProxyConfigs, readClientAddress } from './client-address.ts'
import { findUpgradeSecret } from './upgrade-secret.ts'

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
