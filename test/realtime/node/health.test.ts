import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { createRealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { startNode } from '../../../realtime/node/node.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { readTenure } from '../../../shared/platform/process/lease-holder.ts'
import { openServices } from '../../../shared/services/services.ts'
import type { Services } from '../../../shared/services/wire-services.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { silentLog } from '../../support/time/silent-log.ts'

describe('the health of a real-time node on its own listener', () => {
  let services: Services
  let node: Awaited<ReturnType<typeof startNode>>
  let base: string
  let folder: Awaited<ReturnType<typeof createTempDir>>
  beforeEach(async () => {
    folder = await createTempDir()
    await mkdir(join(folder.path, 'config'))
    await writeFile(join(folder.path, 'config', 'server.yaml'), 'http: { hosts: [play.example.org] }\n')
    const environment = parseEnvironment({ DATA_DIR: folder.path }, 'all')
    services = await openServices(environment, silentLog)
    const tenure = await readTenure(environment)
    node = await startNode(services, {
      tenure,
      baseUrl: environment.baseUrl,
      serverVersion: '0.0.0',
      metrics: createRealtimeMetrics(),
    })
    base = `http://127.0.0.1:${await node.listen(0, '127.0.0.1')}`
  })
  afterEach(async () => {
    await node.close()
    await services.close()
    await folder.remove()
  })
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(base + path, { method, headers: { Connection: 'close' } })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const up = ['accounts', 'records'].map((name) => ({ name, neededFor: expect.any(String), ok: true }))

  it('needs no credential, and is not cached', async () => {
    expect(await ask('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    const answer = await ask('/readyz?now')
    expect(answer).toMatchObject({ status: 200, body: { ready: true, dependencies: up, warnings: [] } })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await ask('/healthz', 'HEAD')).toMatchObject({ status: 200, body: undefined })
  })

  it('is alive but not ready while a dependency is away, and names it', async () => {
    services.store.get = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'The folder is locked.'))
    const answer = await ask('/readyz')
    expect(answer).toMatchObject({
      status: 503,
      body: {
        type: '/problems/service-unavailable',
        status: 503,
        detail: 'Not ready: records.',
        instance: '/readyz',
        ready: false,
        dependencies: [up[0], { name: 'records', ok: false, detail: 'The folder is locked.' }],
      },
    })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('retry-after')).toBe('2')
    expect((await ask('/healthz')).status).toBe(200)
  })

  it('is alive but not ready while it closes', async () => {
    const client = new WebSocket(`${base.replace('http', 'ws')}/realtime`)
    await once(client, 'open')
    // A client that reads nothing keeps the node from closing.
    client.pause()
    const closed = node.close()
    expect(await ask('/readyz')).toMatchObject({ status: 503, body: { dependencies: [...up, { name: 'process', ok: false }] } })
    expect((await ask('/healthz')).status).toBe(200)
    client.terminate()
    await closed
  })

  it.each([
    ['GET', '/'],
    ['GET', '/realtime'],
    ['GET', '/healthz/'],
    ['POST', '/healthz'],
    ['DELETE', '/readyz'],
  ])('has no other routes: %s %s returns 426', async (method, path) => {
    const answer = await ask(path, method)
    expect(answer.status).toBe(426)
    expect(answer.headers.get('upgrade')).toBe('websocket')
  })

  /** Returns the answer to a request with that host name at `port`. */
  const sendAs = async (host: string, path: string, { port = Number(new URL(base).port), headers = {} } = {}) => {
    const request = get({ host: '127.0.0.1', port, path, headers: { Host: host, ...headers }, agent: false })
    const [response]: IncomingMessage[] = await Promise.race([once(request, 'response'), once(request, 'upgrade')])
    response?.destroy()
    return response?.statusCode
  }
  const upgrade = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  }

  it('returns 421 for the name of another host on loopback, also for an upgrade', async () => {
    for (const path of ['/healthz', '/readyz', '/realtime']) expect(await sendAs('rebound.example', path)).toBe(421)
    expect(await sendAs('rebound.example', '/realtime', { headers: upgrade })).toBe(421)
    expect(await sendAs('play.example.org', '/realtime', { headers: upgrade })).toBe(101)
    expect(await sendAs('localhost:5173', '/healthz')).toBe(200)
  })

  it('accepts any name off loopback when hosts are listed, except for an upgrade', async () => {
    // A form of 127.0.0.1 that the server does not recognise as loopback.
    const port = await node.listen(0, '127.1')
    for (const path of ['/healthz', '/readyz?from=probe']) expect(await sendAs('10.0.0.7', path, { port })).toBe(200)
    expect(await sendAs('10.0.0.7', '/realtime', { port })).toBe(421)
    for (const path of ['/realtime', '/healthz']) expect(await sendAs('10.0.0.7', path, { port, headers: upgrade })).toBe(421)
    expect(await sendAs('play.example.org', '/realtime', { port, headers: upgrade })).toBe(101)
  })
})
