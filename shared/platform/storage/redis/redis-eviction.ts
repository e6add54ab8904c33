import type { RedisConnection } from './redis.ts'

/** What an operator should know of the eviction policy of this Redis; undefined where it is `noeviction`, or Redis does not say. */
export const findEvictionWarning = async ({ ask }: Pick<RedisConnection, 'ask'>): Promise<string | undefined> => {
  const memory = await ask((client) => client.info('memory')).catch(() => '')
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1]
  if (policy === undefined || policy === 'noeviction') return undefined
  return `Redis has maxmemory-policy ${policy} and may drop tokens and limits when it is full; set noeviction`
}
