import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { type NodeOptions, type RealtimeNode, startNode } from '../../../realtime/node/node.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { readTenure } from '../../../shared/platform/process/lease-holder.ts'
import { openServices, type Services } from '../../../shared/services/services.ts'
import { createTempDir } from '../processes/temp-dir.ts'
import { silentLog } from '../time/silent-log.ts'
import { waitFor } from '../time/wait-for.ts'
import { openRealtimeClient, type RealtimeClient } from './realtime-client.ts'

const levelGround = 'generator: flat-1\nflat: { layers: [{ block: stone, height: 63 }, { block: grass, height: 1 }] }\n'

const groups = 'groups: [{ name: player, permissions: [world.build, world.undo] }]\ndefaultGroups: [player]\n'

export type Listening = RealtimeNode & { readonly url: string }

/** Nodes in one process on one data folder with level ground, and players who connect to them. */
export const openNodesOfWorld = async () => {
  const folder = await createTempDir()
  await mkdir(join(folder.path, 'config'))
  await writeFile(join(folder.path, 'config', 'worldgen.yaml'), levelGround)
  await writeFile(join(folder.path, 'config', 'groups.yaml'), groups)
  // Players who repeat a request until a column is loaded must not be disconnected for it.
  await writeFile(join(folder.path, 'config', 'server.yaml'), 'realtime: { messagesPerSecond: 1000, messageBurst: 10000 }\n')
  const environment = parseEnvironment({ DATA_DIR: folder.path }, 'all')
  const services = await openServices(environment, silentLog)
  const tenure = await readTenure(environment)
  const { baseUrl } = environment
  const options: NodeOptions = { tenure, baseUrl, serverVersion: '0.0.0', metrics: createRealtimeMetrics(), drainLimitMs: 4000 }
  const nodes: RealtimeNode[] = []
  const clients: RealtimeClient[] = []

  const start = async (more: Partial<NodeOptions> = {}, parts: Services = services): Promise<Listening> => {
    const node = await startNode(parts, { ...options, ...more })
    nodes.push(node)
    const url = `http://127.0.0.1:${await node.listen(0, '127.0.0.1')}`
    node.announce({ url, internalUrl: url })
    return { ...node, url }
  }
  const open = async ({ url }: Listening): Promise<RealtimeClient> => {
    const client = await openRealtimeClient(`${url.replace('http', 'ws')}/realtime`)
    clients.push(client)
    return client
  }
  return {
    services,
    tenure,
    start,
    open,
    enter: async (node: Listening, name: string) => {
      const { playerId } = await services.accounts.signUp(`${name}@example.com`, name)
      const signedInAt = services.clock.now()
      const token = await services.tokens.issue({ playerId, verified: false, signInId: name, signedInAt })
      const client = await open(node)
      client.connect(token)
      return { client, playerId, welcome: await client.next('welcome') }
    },
    resume: async (node: Listening, welcome: Record<string, unknown>) => {
      const client = await open(node)
      client.connect('', { resumeToken: String(welcome.resumeToken) })
      return client
    },
    statesOf: async () => (await services.presence.listNodes()).map(({ world, state }) => [world, state]),
    isRunning: (node: RealtimeNode) => waitFor(() => node.live() !== undefined),
    close: async (): Promise<void> => {
      for (const client of clients) client.terminate()
      for (const node of nodes) await node.close()
      await services.close()
      await folder.remove()
    },
  }
}
