import { afterAll, beforeAll } from '@jest/globals'
import { createRedisTokenStore } from '../../../shared/auth/tokens-redis.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createRedis } from '../../../shared/storage/redis.ts'
import { tokenStoreContract } from '../../contracts/token-store-contract.ts'
import { describeOwnRedis, describeRedis, openRedisForTests, type RedisServer, startRedis } from '../../support/redis.ts'
import { createRedisPrefix } from '../../support/redis-prefix.ts'
import { silentLog } from '../../support/silent-log.ts'

const suites = [
  { name: 'a single Redis', describeHere: describeRedis, start: openRedisForTests },
  { name: 'a Redis cluster', describeHere: describeOwnRedis, start: () => startRedis({ cluster: true }) },
]

for (const { name, describeHere, start } of suites) {
  describeHere(`on ${name}`, () => {
    let server: Pick<RedisServer, 'url' | 'stop'>
    beforeAll(async () => {
      server = await start()
    })
    afterAll(() => server.stop())

    tokenStoreContract(name, async (clock) => {
      const redis = createRedis({ url: server.url, log: silentLog, ids: systemIds, prefix: createRedisPrefix() })
      const store = createRedisTokenStore({ redis, clock, ids: systemIds })
      return {
        store,
        close: async () => {
          await store.close()
          await redis.close()
        },
      }
    })
  })
}
