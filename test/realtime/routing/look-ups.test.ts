import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { expect, it } from '@jest/globals'
import { noRealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { createUpgradeRouter } from '../../../realtime/routing/upgrade-router.ts'
import { createClientAddresses } from '../../../shared/auth/client-addresses.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import type { LiveNode } from '../../../shared/presence/presence.ts'
import { createMemoryStore } from '../../../shared/storage/memory-store.ts'
import { noSanctions } from '../../support/accounts/sanctions-in-memory.ts'
import { silentLog } from '../../support/time/silent-log.ts'

it('looks for the nodes of 1,000 upgrades at the same time, refuses more at once, and takes others when those are done', async () => {
  let answerAll = (_nodes: readonly LiveNode[]): void => {}
  const answer = new Promise<readonly LiveNode[]>((resolve) => {
    answerAll = resolve
  })
  const router = createUpgradeRouter({
    clients: createClientAddresses({ trustedProxies: () => 0 }),
    ...{ clock: systemClock, patienceMs: 0, sanctionsInForce: noSanctions },
    ...{ here: () => undefined, worldNames: () => ['default'], store: createMemoryStore() },
    ...{ nodes: { listKnown: () => answer }, log: silentLog, ids: systemIds, metrics: noRealtimeMetrics },
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
  expect(oneMore.join()).toMatch(/^HTTP\/1\.1 503 [\s\S]*Too many connections/)
  answerAll([])
  await settled()
  expect(first.flat().filter((text) => text.includes('No real-time node runs this world'))).toHaveLength(1_000)
  const later = ask()
  await settled()
  expect(later.join()).toContain('No real-time node runs this world')
})
