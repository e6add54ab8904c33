import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { type NodeOptions, type RealtimeNode, startNode } from '../../../realtime/node/node.ts'
import { createStoreConfigFiles } from '../../../shared/domain/configs/texts/config-files-store.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { readTenure } from '../../../shared/platform/process/lease-holder.ts'
import { createDynamoStore } from '../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { openServices } from '../../../shared/services/services.ts'
import type { Services } from '../../../shared/services/wire-services.ts'
import { openDynamo } from '../dynamodb/dynamodb-tables.ts'
import { createTempDir } from '../processes/temp-dir.ts'
import { silentLog } from '../time/silent-log.ts'
import { waitFor } from '../time/wait-for.ts'
import { openRealtimeClient, type RealtimeClient } from './realtime-client.ts'

const levelGround = 'generator: flat-1\nflat: { layers: [{ block: stone, height: 63 }, { block: grass, height: 1 }] }\n'

const groups = 'groups: [{ name: player, permissions: [world.build, world.undo] }]\ndefaultGroups: [player]\n'

export type Listening = RealtimeNode & { readonly url: string }

// Players who repeat a request until a column is loaded must not be disconnected for it.
const server = 'realtime: { messagesPerSecond: 1000, messageBurst: 10000 }\n'
const configs = { 'worldgen.yaml': levelGround, 'groups.yaml': groups, 'server.yaml': server } as const

/** Stores the configs in new tables of that DynamoDB. Resolves to the variables of a server that uses them. */
const fillTables = async (endpoint: string): Promise<Record<string, string>> => {
  const dynamo = await openDynamo(endpoint)
  const store = createDynamoStore({ dynamo, ids: systemIds })
  const files = createStoreConfigFiles({ store, readBundled: async () => '', clock: systemClock, ids: systemIds })
  for (const name of ['worldgen.yaml', 'groups.yaml', 'server.yaml'] as const)
    await files.write(name, configs[name], { savedBy: 'operator@example.com' })
  dynamo.close()
  // A busy machine may delay an answer for more than the usual 1.8 s.
  const patience = { DYNAMODB_PATIENCE_MS: '30000' }
  return { STORAGE: 'dynamodb', DYNAMODB_ENDPOINT: endpoint, DYNAMODB_TABLE_PREFIX: dynamo.target.tablePrefix, ...patience }
}

/** Nodes in one process on one data folder, or on a DynamoDB, with level ground, and players who connect to them. */
export const openNodesOfWorld = async (dynamoEndpoint?: string) => {
  const folder = await createTempDir()
  await mkdir(join(folder.path, 'config'))
  for (const [name, text] of Object.entries(configs)) await writeFile(join(folder.path, 'config', name), text)
  const storage = dynamoEndpoint === undefined ? {} : await fillTables(dynamoEndpoint)
  const environment = parseEnvironment({ DATA_DIR: folder.path, ...storage }, 'all')
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
