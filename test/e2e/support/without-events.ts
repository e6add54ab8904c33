import { Redis } from 'ioredis'

/** Runs `work` while Redis refuses every publish and every subscription, and otherwise works; throws when nothing was refused. */
export const withoutEvents = async <T>(redisUrl: string, work: () => Promise<T>): Promise<T> => {
  const operator = new Redis(redisUrl.replace('unix://', ''))
  try {
    await operator.call('ACL', 'LOG', 'RESET')
    await operator.call('ACL', 'SETUSER', 'default', 'resetchannels')
    const result = await work()
    const refusals = await operator.call('ACL', 'LOG')
    if (!Array.isArray(refusals) || refusals.length === 0) throw new Error('no event was refused')
    return result
  } finally {
    await operator.call('ACL', 'SETUSER', 'default', 'allchannels')
    operator.disconnect()
  }
}
