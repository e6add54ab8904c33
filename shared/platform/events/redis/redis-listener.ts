import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { RedisAsker } from '../../storage/redis/redis.ts'
import { toUnavailable } from '../../storage/redis/redis-fault.ts'

const checkEveryMs = 1000
const retryMs = 100

export type RedisListener = {
  /**
   * Resolves when Redis has confirmed the subscription, with no time limit. Rejects with AppError `unavailable` if closed before that.
   */
  listen(channel: string): Promise<void>
  close(): Promise<void>
}

/**
 * Subscriptions on a connection of their own, which `close` closes. They are repeated whenever the connection is ready, and every
 * second. This restores lost subscriptions and detects a dead connection.
 */
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
