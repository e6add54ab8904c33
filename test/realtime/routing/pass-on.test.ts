import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type WebSocket, WebSocketServer } from 'ws'
import { createUpgradePasser, type UpgradePasser } from '../../../realtime/routing/pass-on.ts'
import { createClientAddresses } from '../../../shared/domain/auth/client-address.ts'
import { itWhere } from '../../support/needs/guard.ts'
import { openHalfOpenClient } from '../../support/realtime/half-open-client.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'))
const itWithIpv6 = itWhere({ reason: 'needs IPv6', isMet: hasIpv6, isOptional: true })

describe('an upgrade that was passed on', () => {
  const servers: Server[] = []
  const clients: Socket[] = []
  let sockets: WebSocketServer
  let passer: UpgradePasser
  beforeEach(() => {
    sockets = new WebSocketServer({ noServer: true })
  })
  afterEach(() => {
    passer.close()
    for (const client of clients.splice(0)) client.destroy()
    for (const socket of sockets.clients) socket.terminate()
    for (const server of servers.splice(0)) server.close().closeAllConnections()
  })

  const listen = async (server: Server, host = '127.0.0.1'): Promise<number> => {
    servers.push(server)
    server.listen(0, host)
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  /** A node for upgrades, and a process that passes them on to it. */
  const open = async ({ host = '127.0.0.1', idleMs = 60_000 } = {}) => {
    const node = createServer((_request, response) => response.end('alive'))
    node.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, (client) => client.send('hi')))
    const port = await listen(node, host)
    passer = createUpgradePasser(silentLog, createClientAddresses({ trustedProxies: () => 0 }), idleMs)
    const between = createServer()
    const address = `http://${host === '::1' ? '[::1]' : host}:${port}`
    between.on('upgrade', (request, socket, head) => void passer.passOn([{ address }], request, socket, head))
    const url = `http://127.0.0.1:${await listen(between)}`
    const join = async (reads = true): Promise<{ readonly client: Socket; readonly served: WebSocket }> => {
      const before = new Set(sockets.clients)
      const client = openHalfOpenClient(url, '/realtime', { reads })
      clients.push(client)
      await waitFor(() => sockets.clients.size > before.size)
      const served = [...sockets.clients].find((socket) => !before.has(socket))
      if (served === undefined) throw new Error('the node took nobody')
      return { client, served }
    }
    const isFree = () => new Promise<boolean>((resolve) => between.getConnections((_error, count) => resolve(count === 0)))
    return { join, isFree }
  }

  it('is closed in time when the node is gone and the client never closes', async () => {
    const { join, isFree } = await open()
    const { served } = await join()
    const talking = await join()
    served.terminate()
    talking.served.terminate()
    await once(talking.client, 'end')
    talking.client.write('still here')
    await waitFor(isFree)
  })

  it('is closed at the node as soon as the router cuts it', async () => {
    const { join } = await open()
    await join()
    passer.close()
    await waitFor(() => sockets.clients.size === 0)
  })

  it('is closed at the node as soon as its client is gone', async () => {
    const { join } = await open()
    const { client } = await join()
    client.resetAndDestroy()
    await waitFor(() => sockets.clients.size === 0)
  })

  it('is cut when its client reads nothing, whatever its backlog and the state of the node', async () => {
    const { join, isFree } = await open({ idleMs: 300 })
    const { served } = await join(false)
    served.send(Buffer.alloc(2 ** 25))
    await waitFor(isFree)
    await waitFor(() => sockets.clients.size === 0)
  })

  it('stays open while data moves', async () => {
    const { join, isFree } = await open({ idleMs: 4000 })
    const { served } = await join()
    for (let pings = 0; pings < 10; pings += 1) {
      served.ping()
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    expect([served.readyState, await isFree()]).toEqual([served.OPEN, false])
  })

  itWithIpv6('finds its node at an IPv6 address', async () => {
    const { join } = await open({ host: '::1' })
    const { client } = await join()
    expect(client.destroyed).toBe(false)
  })

  it('is refused without a trace when the node refuses it, also for a client that never closes', async () => {
    const node = createServer((_request, response) => response.end('alive'))
    node.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno'))
    const port = await listen(node)
    passer = createUpgradePasser(silentLog, createClientAddresses({ trustedProxies: () => 0 }))
    const between = createServer()
    between.on('upgrade', (request, socket, head) => {
      void passer.passOn([{ address: `http://127.0.0.1:${port}` }], request, socket, head)
    })
    const client = openHalfOpenClient(`http://127.0.0.1:${await listen(between)}`, '/realtime')
    clients.push(client)
    let answer = ''
    client.on('data', (piece) => {
      answer += String(piece)
    })
    await once(client, 'end')
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\n\r\nno$/)
    await waitFor(() => new Promise<boolean>((resolve) => between.getConnections((_error, count) => resolve(count === 0))))
  })
})
