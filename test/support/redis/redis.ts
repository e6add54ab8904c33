import { describe } from '@jest/globals'
import { redisLauncher as launcher, type RedisServer, startRedis } from './redis-server.ts'

export { type RedisServer, startRedis } from './redis-server.ts'

const sharedUrl = process.env.REDIS_URL || undefined
const why = 'needs redis-server on the path, or Docker'

/** Jest's own summary only counts what was skipped. */
const skipAloud = (reason: string) => (name: string, body: () => void) => {
  process.stderr.write(`SKIPPED: "${name}" ${reason}\n`)
  describe.skip(`${name} (SKIPPED: ${reason})`, body)
}

const describeWhere = (available: boolean, reason: string) => {
  if (available) return describe
  if (process.env.CI) throw new Error(`Redis suites must run in CI: this one ${reason}`)
  return skipAloud(reason)
}

/** `describe` where there is a Redis to test with: `REDIS_URL`, one on the path, or Docker; else skipped with the reason in its name, and an error in CI. */
export const describeRedis = describeWhere(sharedUrl !== undefined || launcher !== undefined, `${why}, or REDIS_URL`)

/** The same for suites that kill their Redis or need it in cluster mode: `REDIS_URL` will not do. */
export const describeOwnRedis = describeWhere(launcher !== undefined, why)

/** The same for suites whose Redis must see this machine's loopback, as one in a container does not. */
export const describeLocalRedis =
  launcher?.kind === 'container' ? skipAloud('needs redis-server on the path, not in Docker') : describeOwnRedis

/** The Redis of `REDIS_URL` where that is set, never to be killed, else one of the suite's own. */
export const openRedisForTests = async (): Promise<Pick<RedisServer, 'url' | 'stop'>> =>
  sharedUrl === undefined ? await startRedis() : { url: sharedUrl, stop: async () => undefined }
