import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, it } from '@jest/globals'
import { createRealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { createUpgradeRouter } from '../../../realtime/routing/upgrade-router.ts'
import { createClientAddresses } from '../../../shared/domain/auth/client-address.ts'
import type { LiveNode } from '../../../shared/domain/presence/presence.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { noSanctions } from '../../support/accounts/sanctions-in-memory.ts'
import { silentLog } from '../../support/time/silent-log.ts'

it('looks up nodes for 1,000 concurrent upgrades, refuses more, and accepts others afterwards', async () => {
  let answerAll = (_nodes: readonly LiveNode[]): void => {}
  const answer = new Promise<readonly LiveNode[]>((resolve) => {
    answerAll = resolve
  })
  const router = createUpgradeRouter({
    clients: createClientAddresses({ trustedProxies: () => 0 }),
    clock: systemClock,
    retryWindowMs: 0,
    activeSanctions: noSanctions,
    here: () => undefined,
    worldNames: () => ['default'],
    store: createMemoryStore(),
    nodes: { listKnown: () => answer },
    log: silentLog,
    ids: systemIds,
    metrics: createRealtimeMetrics(),
  })
  const ask = () => {
    const socket = new PassThrough()
    const written: string[] = []
    socket.on('data', (piece) => written.push(String(piece)))
    const request = {
      method: 'GET',
      url: '/realtime',
      headers: { upgrade: 'websocket' },
      socket: {},
    } as unknown as IncomingMessage
    router.handleUpgrade(request, socket, Buffer.alloc(0))
    return written
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const first = Array.from({ length: 1_000 }, ask)
  const oneMore = ask()
  await settled()
  expect(first.flat()).toEqual([])
  expect(oneMore.join()).toMatch(/^HTTP\/1\.1 503 [\s\S]*Too many clients/)
  answerAll([])
  await settled()
  expect(first.flat().filter((text) => text.includes('No real-time node runs this world'))).toHaveLength(1_000)
  const later = ask()
  await settled()
  expect(later.join()).toContain('No real-time node runs this world')
})

it('routes players while feeds wait for a stalled store, which eight of them read at a time', async () => {
  const asked: unknown[] = []
  const router = createUpgradeRouter({
    clients: createClientAddresses({ trustedProxies: () => 1 }),
    clock: systemClock,
    retryWindowMs: 0,
    activeSanctions: noSanctions,
    here: () => undefined,
    worldNames: () => ['default'],
    store: {
      get: (...what: unknown[]) => {
        asked.push(what)
        return new Promise<never>(() => undefined)
      },
    },
    nodes: { listKnown: async () => [] },
    log: silentLog,
    ids: systemIds,
    metrics: createRealtimeMetrics(),
  })
  const streams: PassThrough[] = []
  const ask = (url: string, address: string) => {
    const socket = new PassThrough()
    streams.push(socket)
    const headers = { upgrade: 'websocket', 'x-forwarded-for': address }
    const written: string[] = []
    const write = socket.end.bind(socket)
    socket.end = ((text: string) => {
      written.push(text)
      return write()
    }) as never
    router.handleUpgrade({ method: 'GET', url, headers, socket: {} } as unknown as IncomingMessage, socket, Buffer.alloc(0))
    return written
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  for (let i = 0; i < 1_200; i += 1)
    ask('/api/admin/ws/instances/00000000-0000-4000-8000-000000000000', `192.0.2.${Math.floor(i / 100)}`)
  const player = ask('/realtime', '198.51.100.7')
  await settled()
  expect(asked).toHaveLength(8)
  expect(player.join()).toContain('No real-time node runs this world')
  for (const stream of streams) stream.destroy()
})
