import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { createUpgradeRouter } from '../../../realtime/routing/upgrade-router.ts'
import { createClientAddresses } from '../../../shared/domain/auth/client-address.ts'
import { createNodeDirectory } from '../../../shared/domain/presence/node-directory.ts'
import type { NodeFacts, Presence } from '../../../shared/domain/presence/presence.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { noSanctions } from '../accounts/sanctions-in-memory.ts'
import { silentLog } from '../time/silent-log.ts'
import { readyNode } from './ready-node.ts'

export type RoutedNodeOptions = {
  readonly nodeId: string
  /** Undefined for a standby node. */
  readonly world?: string
  readonly presence: Presence
  readonly store: Pick<Store, 'get'>
  /** The worlds for players without a requested world, if this node runs none. */
  readonly worldNames?: readonly string[]
  /** How long an upgrade waits for a node of its world; by default it does not wait. */
  readonly retryWindowMs?: number
}

/**
 * Routing of a node on its own port. Instead of the game, a served socket receives `{servedBy, path, headers}` and its own
 * messages.
 */
export const startRoutedNode = async (options: RoutedNodeOptions) => {
  const { nodeId, world, presence, store, worldNames = ['default'], retryWindowMs = 0 } = options
  const sockets = new WebSocketServer({ noServer: true })
  const state = { world }
  const take = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.send(JSON.stringify({ servedBy: nodeId, path: request.url, headers: request.headers }))
      client.on('message', (data, isBinary) => client.send(data, { binary: isBinary }))
    })
  const refused: number[] = []
  const nodes = createNodeDirectory({ presence, clock: systemClock })
  const router = createUpgradeRouter({
    clients: createClientAddresses({ secret: 'known to all', trustedProxies: () => 0 }),
    nodeId,
    worldNames: () => worldNames,
    nodes,
    store,
    log: silentLog,
    ids: systemIds,
    clock: systemClock,
    retryWindowMs,
    activeSanctions: noSanctions,
    metrics: { countRefusedUpgrade: (status) => refused.push(status) },
    here: () => (state.world === undefined ? undefined : { world: state.world, take }),
  })
  const server = createServer((_request, response) => response.end('alive'))
  server.on('upgrade', router.handleUpgrade)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const node = presence.openNode(nodeId)
  const tell = async (more: Partial<NodeFacts> = {}): Promise<void> => {
    const standby = state.world === undefined ? { state: 'standby' as const } : {}
    node.describe(readyNode(state.world, { url, internalUrl: url, ...standby, ...more }))
    await node.renew()
    nodes.forget()
  }
  await tell()
  return {
    url,
    nodes,
    tell,
    refused,
    /** Resolves when this node has received an upgrade. */
    asked: async () => {
      await once(server, 'upgrade')
    },
    /** Sets the world of the node; undefined releases it. */
    runs: (name: string | undefined) => {
      state.world = name
      return tell()
    },
    close: async () => {
      router.close()
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type RoutedNode = Awaited<ReturnType<typeof startRoutedNode>>
