import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'

const readBody = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

/**
 * A real-time node on a free port with the routes that the terminal client uses. They accept every account with `password`. If
 * `required` is false, they accept every account, unverified.
 */
export const startPlayServer = async (password = '', required = password !== '') => {
  const signedOut: string[] = []
  const fixture = createRealtimeFixture({ clock: systemClock })
  const { server: realtime, accountStore, signIn } = fixture
  const http = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    const login = async () => {
      const body = await readBody(request)
      const account = await accountStore.findByEmail(String(body.email))
      const verified = password !== '' && body.password === password
      if (account === undefined || (required && !verified))
        return answer(401, {
          type: '/problems/invalid-credentials',
          title: 'Invalid credentials',
          detail: 'Email and password do not match.',
        })
      const { displayName, playerId } = account
      return answer(200, { token: await signIn(account, verified), displayName, playerId, verified })
    }
    if (request.url === '/api/auth/config') answer(200, { provider: 'local', requirePassword: required })
    else if (request.url === '/auth/login') login().catch(() => answer(500, { type: 'about:blank', title: 'Internal error' }))
    else if (request.url === '/auth/logout') {
      signedOut.push(String(request.headers.authorization))
      response.writeHead(204).end()
    } else answer(404, { type: '/problems/not-found', title: 'Not found' })
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
  return { ...fixture, signedOut, url: `http://127.0.0.1:${port}`, close }
}
