import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { afterEach, describe, expect, it } from '@jest/globals'
import { WebSocketServer } from 'ws'
import { passOnUpgrades } from '../../../infra/http/pass-on-upgrades.ts'
import { createClientAddresses } from '../../../shared/domain/auth/client-address.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { knock } from '../../support/http/knock.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { silentLog } from '../../support/time/silent-log.ts'

describe('upgrades at an HTTP half with one address for all real-time nodes', () => {
  let server: Server
  let url: string
  let nodePort: number
  let tellAway: () => void
  let isAway: Promise<void>
  const start = async (retryWindowMs: number): Promise<void> => {
    nodePort = await findFreePort()
    isAway = new Promise((resolve) => {
      tellAway = resolve
    })
    const upgrade = passOnUpgrades(`ws://127.0.0.1:${nodePort}`, {
      clock: systemClock,
      retryWindowMs,
      log: { ...silentLog, warn: () => tellAway() },
      ids: systemIds,
      clients: createClientAddresses({ trustedProxies: () => 0 }),
    })
    server = createServer()
    server.on('upgrade', (asked, socket, head) => void upgrade(asked, socket, head))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }
  afterEach(() => server.close().closeAllConnections())

  it.each([
    ['503 where nothing answers there', 503, '/realtime', {}],
    ['503 to a feed where nothing answers there', 503, '/api/admin/ws/instances/a', {}],
    ['404 where the path is neither of players nor of feeds', 404, '/elsewhere', {}],
    ['400 where a WebSocket is not all that is asked for', 400, '/realtime', { Upgrade: 'websocket, h2c' }],
  ])('are answered %s', async (_what, status, path, headers) => {
    await start(0)
    const upgrade = request(url + path, { headers: { Connection: 'Upgrade', Upgrade: 'websocket', ...headers } })
    upgrade.end()
    const [response] = await once(upgrade, 'response')
    response.resume()
    expect(response.statusCode).toBe(status)
    expect(response.headers['content-type']).toBe('application/problem+json')
  })
  it('wait for a node that is about to start', async () => {
    await start(60_000)
    const knocked = knock(`${url}/realtime`)
    const node = createServer((_asked, answer) => answer.end('alive'))
    const sockets = new WebSocketServer({ server: node })
    sockets.on('connection', (socket) => socket.send('{"servedBy":"late"}'))
    await isAway
    node.listen(nodePort, '127.0.0.1')
    const { first, socket } = await knocked
    expect(first.servedBy).toBe('late')
    socket.terminate()
    sockets.close()
    node.close()
    node.closeAllConnections()
  })
})
