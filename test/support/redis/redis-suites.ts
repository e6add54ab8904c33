import { afterAll, beforeAll } from '@jest/globals'
import type { Log } from '../../../shared/kernel/log.ts'
import type { RedisConnection } from '../../../shared/platform/storage/redis/redis.ts'
import { silentLog } from '../time/silent-log.ts'
import { connectPatiently } from './patient-redis.ts'
import { describeOwnRedis, describeRedis, openRedisForTests, type RedisServer, startRedis } from './redis.ts'
import { createRedisPrefix } from './redis-prefix.ts'

/** Opens a connection with an unused prefix; pass the prefix of another connection to share its keys. */
type ConnectRedis = (options?: { readonly log?: Log; readonly prefix?: string }) => RedisConnection

type SharedRedis = Pick<RedisServer, 'url' | 'stop'>

const startCluster = () => startRedis({ cluster: true })

/** Runs `suite` with a single Redis (`REDIS_URL` if set) and with one in cluster mode, if they are available. */
export const describeEachRedisServer = (name: string, suite: (open: () => Promise<SharedRedis>) => void): void => {
  describeRedis(`${name} a single Redis`, () => suite(openRedisForTests))
  describeOwnRedis(`${name} a Redis cluster`, () => suite(startCluster))
}

/** Runs `suite` on a single Redis and on one in cluster mode, if they are available. */
export const describeEachRedis = (suite: (name: string, connect: ConnectRedis) => void) => {
  const describeOn = (name: string, open: () => Promise<SharedRedis>) => () => {
    let server: SharedRedis | undefined
    beforeAll(async () => {
      server = await open()
    })
    afterAll(() => server?.stop())
    suite(name, ({ log = silentLog, prefix = createRedisPrefix() } = {}) => connectPatiently(server?.url ?? '', { log, prefix }))
  }
  describeRedis('on a single Redis', describeOn('a single Redis', openRedisForTests))
  describeOwnRedis('on a Redis cluster', describeOn('a Redis cluster', startCluster))
}
