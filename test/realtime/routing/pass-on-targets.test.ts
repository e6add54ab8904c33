import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { createUpgradePasser, type UpgradePasser } from '../../../realtime/routing/pass-on.ts'
import { createClientAddresses } from '../../../shared/domain/auth/client-address.ts'
import { createMemoryPresence } from '../../../shared/domain/presence/presence-memory.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { knock } from '../../support/http/knock.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { readyNode } from '../../support/realtime/ready-node.ts'
import { startRoutedNode } from '../../support/realtime/routed-node.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

describe('the target of a passed-on upgrade', () => {
  const servers: Server[] = []
  let passer: UpgradePasser
  beforeEach(() => {
    passer = createUpgradePasser(silentLog, createClientAddresses({ trustedProxies: () => 0 }))
  })
  afterEach(() => {
    passer.close()
    for (const server of servers.splice(0)) server.close().closeAllConnections()
  })

  const listen = async (server: Server, port = 0): Promise<string> => {
    servers.push(server)
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }
  /** A process that passes everything on to `address`, and the result of each upgrade. */
  const between = async (address: string) => {
    const results: boolean[] = []
    const server = createServer()
    server.on('upgrade', async (request, socket, head) => {
      const isPassedOn = await passer.passOn([{ address }], request, socket, head)
      if (!isPassedOn) socket.destroy()
      results.push(isPassedOn)
    })
    return { url: (await listen(server)).replace('http', 'ws'), results }
  }

  it('is not the address of a redirect', async () => {
    let asked = 0
    const inside = await listen(
      createServer((_request, response) => {
        asked += 1
        response.end()
      }),
    )
    const target = await listen(createServer((_request, response) => response.writeHead(307, { Location: inside }).end()))
    const { url, results } = await between(target)
    const client = new WebSocket(url).on('error', () => {})
    await waitFor(() => results.length === 1)
    expect([results, asked]).toEqual([[true], 0])
    client.terminate()
  })

  it('is checked each time, so that a node that came back is found', async () => {
    const port = await findFreePort()
    const { url, results } = await between(`http://127.0.0.1:${port}`)
    new WebSocket(url).on('error', () => {})
    await waitFor(() => results.length === 1)
    await listen(
      createServer((_request, response) => response.end()).on('upgrade', (_request, socket) => socket.destroy()),
      port,
    )
    new WebSocket(url).on('error', () => {})
    await waitFor(() => results.length === 2)
    expect(results).toEqual([false, true])
  })

  it('is never the node itself, whatever its address in the registry', async () => {
    const presence = createMemoryPresence({ clock: systemClock })
    const store = createMemoryStore()
    const one = await startRoutedNode({ nodeId: 'a', world: 'default', presence, store })
    const other = await startRoutedNode({ nodeId: 'b', world: 'arena', presence, store })
    const own = presence.openNode('a')
    own.describe(readyNode('arena', { internalUrl: one.url }))
    await own.renew()
    const { first, socket } = await knock(`${one.url}/realtime?world=arena`)
    expect(first.servedBy).toBe('b')
    socket.terminate()
    await one.close()
    await other.close()
  })
})
