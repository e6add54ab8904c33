import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import type { Ids } from '../../kernel/ids.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'
import { readClientAddress } from './client-address.ts'

const secrets = createCollection('process-secrets', ClosedObject({ secret: Type.String() }))
const id = 'upgrades'

/** What processes on one store tell each other by that an upgrade was passed on by one of them. Made by whoever asks first. Throws AppError `unavailable`. */
export const findUpgradeSecret = async (store: Pick<Store, 'get' | 'put'>, ids: Pick<Ids, 'secret'>): Promise<string> => {
  const stored = await store.get(secrets, id)
  if (stored !== undefined) return stored.value.secret
  const secret = ids.secret()
  try {
    await store.put(secrets, id, { secret }, { ifVersion: null })
    return secret
  } catch (error) {
    const made = await store.get(secrets, id)
    if (made === undefined) throw error
    return made.value.secret
  }
}

/** Of an upgrade that another process of Gatehouse passed on: the client's address as that process saw it, and its seal. */
const header = 'x-gatehouse-client'

/** Whose upgrades they are. */
export type ClientAddresses = {
  /** The client's address: what a process of ours sealed, else what `http.trustedProxies` says. */
  of(request: IncomingMessage): string
  /** Whether a process of ours passed the upgrade on. */
  isHandedOn(request: IncomingMessage): boolean
  /** Adds the address to an upgrade that is passed on, in the place of what the client itself said of it. */
  handOn(request: IncomingMessage): void
}

type ClientAddressesOptions = {
  /** Known to the processes of one deployment. Without it no other process is believed, and none is told. */
  readonly secret?: string
  readonly trustedProxies: () => number
}

export const createClientAddresses = ({ secret, trustedProxies }: ClientAddressesOptions): ClientAddresses => {
  // The key of the handshake is random, so a seal that was seen is of no use for another upgrade.
  const seal = (address: string, { headers }: IncomingMessage): Buffer =>
    createHmac('sha256', secret ?? '')
      .update(`${address}\n${headers['sec-websocket-key'] ?? ''}`)
      .digest()

  const findSealed = (request: IncomingMessage): string | undefined => {
    const sent = request.headers[header]
    if (secret === undefined || typeof sent !== 'string') return undefined
    const [address = '', text = ''] = sent.split(';')
    const told = Buffer.from(text, 'base64url')
    const expected = seal(address, request)
    return told.length === expected.length && timingSafeEqual(told, expected) ? address : undefined
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
  readonly configs: { get(name: 'server.yaml'): { readonly http: { readonly trustedProxies: number } } }
}

/** Those of a process on `services`. Throws AppError `unavailable` while the store is away. */
export const openClientAddresses = async ({ store, ids, configs }: ClientAddressesDeps): Promise<ClientAddresses> =>
  createClientAddresses({
    secret: await findUpgradeSecret(store, ids),
    trustedProxies: () => configs.get('server.yaml').http.trustedProxies,
  })
