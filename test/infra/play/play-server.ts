import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { noRealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { createRealtimeServer } from '../../../realtime/server.ts'
import { createClientAddresses } from '../../../shared/auth/client-addresses.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'

const readBody = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/** A real-time node on a free port beside the two routes that the terminal client asks, which let in every account with `password`. */
export const startPlayServer = async (password = '') => {
  const fixture = createRealtimeFixture({ clock: systemClock })
  const { loop, settings, origins, sanctionsInForce, ids, log, accountStore, signIn } = fixture
  const clients = createClientAddresses({ trustedProxies: () => 0 })
  const realtime = createRealtimeServer({
    loop,
    settings,
    origins,
    clients,
    sanctionsInForce,
    clock: systemClock,
    ids,
    log,
    metrics: noRealtimeMetrics,
  })
  const http = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    const login = async () => {
      const body = await readBody(request)
      const account = await accountStore.findByEmail(String(body.email))
      if (account === undefined || body.password !== password)
        return answer(401, {
          type: '/problems/invalid-credentials',
          title: 'Invalid credentials',
          detail: 'Email and password do not match.',
        })
      const { displayName, playerId } = account
      return answer(200, { token: await signIn(account, password !== ''), displayName, playerId })
    }
    if (request.url === '/api/auth/config') answer(200, { provider: 'local', requirePassword: password !== '' })
    else if (request.url === '/auth/login') login().catch(() => answer(500, { type: 'about:blank', title: 'Internal error' }))
    else answer(404, { type: '/problems/not-found', title: 'Not found' })
  })
  http.on('upgrade', realtime.handleUpgrade)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  realtime.start()
  const close = async () => {
    await realtime.close({ graceMs: 500 })
    http.closeAllConnections()
    http.close()
    await once(http, 'close')
  }
  return { ...fixture, url: `http://127.0.0.1:${port}`, close }
}
