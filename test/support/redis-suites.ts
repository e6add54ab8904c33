import { afterAll, beforeAll } from '@jest/globals'
import { systemIds } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createRedis, type RedisConnection } from '../../shared/storage/redis.ts'
import { describeOwnRedis, describeRedis, openRedisForTests, type RedisServer, startRedis } from './redis.ts'
import { createRedisPrefix } from './redis-prefix.ts'
import { silentLog } from './silent-log.ts'

/** A fresh connection, under a prefix that nothing has used; give the prefix of another one to meet it. */
type ConnectRedis = (options?: { readonly log?: Log; readonly prefix?: string }) => RedisConnection

/** Runs `suite` once on a single Redis and once on one in cluster mode, each where there is one. */
export const describeEachRedis = (suite: (name: string, connect: ConnectRedis) => void) => {
  const kinds = [
    { name: 'a single Redis', describeHere: describeRedis, start: openRedisForTests },
    { name: 'a Redis cluster', describeHere: describeOwnRedis, start: () => startRedis({ cluster: true }) },
  ]
  for (const { name, describeHere, start } of kinds) {
    describeHere(`on ${name}`, () => {
      let server: Pick<RedisServer, 'url' | 'stop'> | undefined
      beforeAll(async () => {
        server = await start()
      })
      afterAll(() => server?.stop())
      suite(name, ({ log = silentLog, prefix = createRedisPrefix() } = {}) =>
        createRedis({ url: server?.url ?? '', log, ids: systemIds, prefix }),
      )
    })
  }
}
