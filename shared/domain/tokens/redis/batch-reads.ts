import { Cluster } from 'ioredis'
import type { RedisConnection } from '../../../platform/storage/redis/redis.ts'

type Waiting = {
  readonly key: string
  readonly resolve: (value: string | null) => void
  readonly reject: (error: unknown) => void
}

/**
 * Reads values by key: all that are asked for in one turn of the event loop go to Redis as one command, and come back as one answer. Of a
 * cluster each goes by itself, since their slots differ.
 */
export const createBatchedReads = ({ client, ask }: RedisConnection): ((key: string) => Promise<string | null>) => {
  if (client instanceof Cluster) return (key) => ask(() => client.get(key))
  let waiting: Waiting[] = []

  const read = async (): Promise<void> => {
    const asked = waiting
    waiting = []
    try {
      const values = await ask(() => client.mget(asked.map(({ key }) => key)))
      for (const [at, { resolve }] of asked.entries()) resolve(values[at] ?? null)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
  return (key) =>
    new Promise((resolve, reject) => {
      // Behind the sockets that can be read by now, each of which may bring a request more.
      if (waiting.length === 0) setImmediate(() => void read())
      waiting.push({ key, resolve, reject })
    })
}
