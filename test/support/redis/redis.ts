import { describeWhere, type Need } from '../needs/guard.ts'
import { expectGuarded } from '../needs/guarded.ts'
import { redisLauncher as launcher, type RedisServer, startRedis } from './redis-server.ts'

export { type RedisServer, startRedis } from './redis-server.ts'

const sharedUrl = process.env.REDIS_URL || undefined
const why = 'needs redis-server on the path, or Docker'

/** A Redis to test with: `REDIS_URL`, one on the path, or Docker. */
export const anyRedis: Need = {
  reason: `${why}, or REDIS_URL`,
  isMet: sharedUrl !== undefined || launcher !== undefined,
  program: 'redis',
}

/** A Redis that a suite may kill or run in cluster mode, so not `REDIS_URL`. */
export const ownRedis: Need = { reason: why, isMet: launcher !== undefined, program: 'redis' }

/** A Redis with access to the loopback of this machine, which a container does not have. */
const localRedis: Need =
  launcher?.kind === 'container'
    ? { reason: 'needs redis-server on the path, not in Docker', isMet: false, isOptional: true }
    : ownRedis

export const describeRedis = describeWhere(anyRedis)
export const describeOwnRedis = describeWhere(ownRedis)
export const describeLocalRedis = describeWhere(localRedis)

/** The Redis of `REDIS_URL` if set, which must not be killed, else a new one. */
export const openRedisForTests = async (): Promise<Pick<RedisServer, 'url' | 'stop'>> => {
  expectGuarded('redis', 'describeRedis')
  return sharedUrl === undefined ? await startRedis() : { url: sharedUrl, stop: async () => undefined }
}
