import { afterAll, beforeAll } from '@jest/globals'
import { systemIds } from '../../../shared/kernel/ids.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { createRedis, type RedisConnection } from '../../../shared/platform/storage/redis/redis.ts'
import { silentLog } from '../time/silent-log.ts'
import { describeOwnRedis, describeRedis, openRedisForTests, type RedisServer, startRedis } from './redis.ts'
import { createRedisPrefix } from './redis-prefix.ts'

/** A fresh connection, under a prefix that nothing has used; give the prefix of another one to meet it. */
type ConnectRedis = (options?: { readonly log?: Log; readonly prefix?: string }) => RedisConnection

type SharedRedis = Pick<RedisServer, 'url' | 'stop'>

const startCluster = () => startRedis({ cluster: true })

/** Runs `suite` once with a single Redis, that of `REDIS_URL` where it is set, and once with one in cluster mode, each where there is one. */
export const describeEachRedisServer = (name: string, suite: (open: () => Promise<SharedRedis>) => void): void => {
  describeRedis(`${name} a single Redis`, () => suite(openRedisForTests))
  describeOwnRedis(`${name} a Redis cluster`, () => suite(startCluster))
}

/** The same for suites that kill their Redis. */
export const describeEachOwnRedis = (name: string, suite: (start: () => Promise<RedisServer>) => void): void => {
  describeOwnRedis(`${name} a single Redis`, () => suite(startRedis))
  describeOwnRedis(`${name} a Redis cluster`, () => suite(startCluster))
}

/** Runs `suite` once on a single Redis and once on one in cluster mode, each where there is one. */
export const describeEachRedis = (suite: (name: string, connect: ConnectRedis) => void) => {
  const describeOn = (name: string, open: () => Promise<SharedRedis>) => () => {
    let server: SharedRedis | undefined
    beforeAll(async () => {
      server = await open()
    })
    afterAll(() => server?.stop())
    suite(name, ({ log = silentLog, prefix = createRedisPrefix() } = {}) =>
      createRedis({ url: server?.url ?? '', log, ids: systemIds, prefix }),
    )
  }
  describeRedis('on a single Redis', describeOn('a single Redis', openRedisForTests))
  describeOwnRedis('on a Redis cluster', describeOn('a Redis cluster', startCluster))
}
