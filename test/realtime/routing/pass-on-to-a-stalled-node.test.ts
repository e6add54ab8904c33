import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, it } from '@jest/globals'
import { createUpgradePasser } from '../../../realtime/routing/pass-on.ts'
import { createClientAddresses } from '../../../shared/domain/auth/client-address.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const servers: Server[] = []
const sockets: Duplex[] = []
/** Every outgoing socket of this process. */
const outgoing: Socket[] = []
const note = (message: unknown): void => {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return
  if (message.socket instanceof Socket) outgoing.push(message.socket)
}
beforeEach(() => {
  subscribe('net.client.socket', note)
})
afterEach(() => {
  unsubscribe('net.client.socket', note)
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

const listen = async (server: Server): Promise<number> => {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

it('cuts a passed-on connection at both ends when its node is stalled and nothing moves', async () => {
  const node = createServer((_request, response) => response.setHeader('Connection', 'close').end('alive'))
  node.on('upgrade', (_request, socket: Socket) => {
    socket.pause().write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    sockets.push(socket)
  })
  const address = `http://127.0.0.1:${await listen(node)}`
  const between = createServer()
  const passer = createUpgradePasser(silentLog, createClientAddresses({ trustedProxies: () => 0 }), 300)
  between.on('upgrade', (request, socket, head) => void passer.passOn([{ address }], request, socket, head))
  const client = connect(await listen(between), '127.0.0.1')
  sockets.push(client)
  client.on('error', () => client.destroy())
  client.write('GET /realtime HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  await once(client, 'data')
  client.write(Buffer.alloc(2 ** 25))
  await waitFor(() => outgoing.length >= 3 && outgoing.every((socket) => socket.destroyed))
})
