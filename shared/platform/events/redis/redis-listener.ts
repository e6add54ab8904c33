import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { RedisAsker } from '../../storage/redis/redis.ts'
import { toUnavailable } from '../../storage/redis/redis-fault.ts'

const checkEveryMs = 1000
const retryMs = 100

export type RedisListener = {
  /** Resolves once Redis has confirmed the subscription, however long it is away; rejects with AppError `unavailable` when closed before. */
  listen(channel: string): Promise<void>
  close(): Promise<void>
}

/** Subscriptions on a connection of their own, which it closes. They are asked for again whenever the connection is ready, and every second: that restores what was lost and finds out a connection that died in silence. */
export const createRedisListener = (
  connection: RedisAsker<Redis>,
  onMessage: (channel: string, text: string) => void,
): RedisListener => {
  const channels = new Set<string>()
  let closed = false
  let checking = false

  const subscribe = (names: readonly string[]) => connection.ask((client) => client.subscribe(...names))

  const check = async () => {
    if (closed || checking || channels.size === 0 || connection.client.status !== 'ready') return
    checking = true
    try {
      await subscribe([...channels])
    } catch {
      if (!closed && connection.client.status === 'ready') connection.client.disconnect(true)
    } finally {
      checking = false
    }
  }

  connection.client.on('message', onMessage)
  connection.client.on('ready', () => void check())
  const timer = setInterval(() => void check(), checkEveryMs)
  timer.unref()

  return {
    listen: async (channel) => {
      channels.add(channel)
      while (!closed) {
        try {
          await subscribe([channel])
          return
        } catch {
          await sleep(retryMs, undefined, { ref: false })
        }
      }
      throw toUnavailable(new Error('The event bus was closed'))
    },
    close: async () => {
      closed = true
      clearInterval(timer)
      await connection.close()
    },
  }
}
