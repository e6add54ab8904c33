import type { RedisConnection } from './redis.ts'

/** A warning about the eviction policy of this Redis; undefined for `noeviction` or if Redis does not report it. */
export const findEvictionWarning = async ({ ask }: Pick<RedisConnection, 'ask'>): Promise<string | undefined> => {
  const memory = await ask((client) => client.info('memory')).catch(() => '')
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1]
  if (policy === undefined || policy === 'noeviction') return undefined
  return `Redis has maxmemory-policy ${policy} and may drop tokens and limits when it is full. Set it to noeviction`
}
