import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals'
import type { RedisServer } from '../redis/redis.ts'
import { type LinkedNodes, startLinkedNodes } from './linked-nodes.ts'
import type { RealtimeNode } from './realtime-node.ts'

export type TwoNodes = { readonly linked: LinkedNodes; readonly here: RealtimeNode; readonly there: RealtimeNode }

/** One Redis for the suite, and two new nodes on it for each of its tests, with the worlds `default` and `arena`. */
export const startTwoNodes = (openRedis: () => Promise<Pick<RedisServer, 'url' | 'stop'>>, use: (nodes: TwoNodes) => void) => {
  let server: Pick<RedisServer, 'url' | 'stop'>
  let linked: LinkedNodes
  beforeAll(async () => {
    server = await openRedis()
  })
  afterAll(() => server?.stop())
  beforeEach(async () => {
    linked = await startLinkedNodes(server.url, ['default', 'arena'])
    const [here, there] = linked.nodes
    if (here === undefined || there === undefined) throw new Error('two nodes were asked for')
    use({ linked, here, there })
  })
  afterEach(() => linked?.close())
}
