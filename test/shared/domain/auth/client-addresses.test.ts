import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { createClientAddresses } from '../../../../shared/domain/auth/client-address.ts'
import { findUpgradeSecret } from '../../../../shared/domain/auth/upgrade-secret.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'

const header = 'x-gatehouse-client'

const upgradeFrom = (peer: string, headers: Record<string, string> = {}): IncomingMessage => {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  Object.assign(request.headers, { 'sec-websocket-key': 'k1', ...headers })
  return request
}

const ofProcess = (secret?: string, trustedProxies = 0) =>
  createClientAddresses({ ...(secret !== undefined && { secret }), trustedProxies: () => trustedProxies })

/** The request as it arrives at the next process, with the first process as its peer. */
const passOn = (request: IncomingMessage, by: ReturnType<typeof ofProcess>): IncomingMessage => {
  by.handOn(request)
  return upgradeFrom('10.0.0.5', Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)])))
}

describe('the client address of a forwarded upgrade', () => {
  it('is the address that the first process saw, with its proxies, also over two hops', () => {
    const passed = passOn(upgradeFrom('10.0.0.1', { 'x-forwarded-for': '192.0.2.1' }), ofProcess('s', 1))
    expect(ofProcess('s', 1).of(passed)).toBe('192.0.2.1')
    expect(ofProcess('s').of(passOn(passed, ofProcess('s')))).toBe('192.0.2.1')
  })

  it.each<readonly [string, (sealed: string) => string]>([
    ['forged', () => '203.0.113.9;AAAA'],
    ['without a seal', () => '203.0.113.9'],
    ['empty', () => ''],
    ['of another address', (sealed) => sealed.replace('192.0.2.1', '203.0.113.9')],
  ])('is the peer when the header is %s', (_what, change) => {
    const passed = passOn(upgradeFrom('192.0.2.1'), ofProcess('s'))
    passed.headers[header] = change(String(passed.headers[header]))
    expect(ofProcess('s').of(passed)).toBe('10.0.0.5')
  })

  it('is not taken from another handshake, from a stranger, or without a secret', () => {
    const other = passOn(upgradeFrom('192.0.2.1'), ofProcess('s'))
    other.headers['sec-websocket-key'] = 'k2'
    expect(ofProcess('s').of(other)).toBe('10.0.0.5')
    expect(ofProcess('s').of(passOn(upgradeFrom('192.0.2.1'), ofProcess('t')))).toBe('10.0.0.5')
    expect(ofProcess().of(passOn(upgradeFrom('192.0.2.1'), ofProcess('s')))).toBe('10.0.0.5')
  })

  it('is not taken from a header of the client, which is never forwarded', () => {
    const forged = () => upgradeFrom('192.0.2.1', { [header]: '203.0.113.9;AAAA' })
    expect(ofProcess('s').of(passOn(forged(), ofProcess('s')))).toBe('192.0.2.1')
    expect(passOn(forged(), ofProcess()).headers[header]).toBeUndefined()
  })
})

it('has one secret for all concurrent callers', async () => {
  const store = createMemoryStore()
  const secrets = await Promise.all(Array.from({ length: 5 }, () => findUpgradeSecret(store, systemIds)))
  expect(new Set([...secrets, await findUpgradeSecret(store, systemIds)]).size).toBe(1)
})
