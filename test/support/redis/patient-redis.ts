import { systemIds } from '../../../shared/kernel/ids.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { createRedis, type RedisConnection } from '../../../shared/platform/storage/redis/redis.ts'
import type { CallWatch } from '../../../shared/platform/tracing/call-watch.ts'
import { silentLog } from '../time/silent-log.ts'

type PatientRedisOptions = { readonly log?: Log; readonly prefix?: string; readonly watch?: CallWatch }

/**
 * Connects to a Redis of a test. A busy machine may delay an answer for more than the usual second, so this waits long. A killed Redis
 * refuses at once anyway.
 */
export const connectPatiently = (url: string, options: PatientRedisOptions = {}): RedisConnection =>
  createRedis({ url, log: silentLog, ids: systemIds, patienceMs: 15_000, ...options })
