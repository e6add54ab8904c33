import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { limitFaults } from '../../../kernel/describe-fault.ts'
import type { Log } from '../../../kernel/log.ts'
import { createParser } from '../../../kernel/schema.ts'
import { createServiceMetrics, type ServiceMetrics } from '../../metrics/service-metrics.ts'
import type { RedisAsker, RedisConnection } from '../../storage/redis/redis.ts'
import { toUnavailable } from '../../storage/redis/redis-fault.ts'
import { type EventBus, isTopic, type Topic, topics } from '../event-bus.ts'
import { createSubscribers } from '../subscribers.ts'

const checkEveryMs = 1000
const retryMs = 100

type RedisListener = {
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
const createRedisListener = (
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

/** Longer than any event. Longer messages are not parsed. */
const charactersMax = 2_097_152

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Events between processes: one channel for each topic, in JSON. Events that do not match their schema are dropped. Publishes on
 * `redis`, which its owner closes. Subscribes on a connection of its own, opened with the first subscription and closed by `close`.
 */
export const createRedisEventBus = ({
  redis,
  log,
  metrics = createServiceMetrics(),
}: {
  readonly redis: RedisConnection
  readonly log: Log
  readonly metrics?: Pick<ServiceMetrics, 'countEvent'>
}): EventBus => {
  const subscribers = createSubscribers(log)
  const channelPrefix = `${redis.prefix}event:`

  const receive = <T extends Topic>(topic: T, text: string) => {
    const event = createParser(topics[topic])(text.length > charactersMax ? undefined : parseJson(text))
    metrics.countEvent(topic, event.ok ? 'received' : 'dropped')
    if (event.ok) subscribers.deliver(topic, event.value)
    else log.warn({ topic, faults: limitFaults(event.faults) }, 'an event that does not match its topic was dropped')
  }

  /** The number of events lost since the last success, by topic. Logs one line at the start of an outage and one at its end. */
  const lost = new Map<Topic, number>()
  const noteLoss = (topic: Topic, error: unknown): void => {
    const before = lost.get(topic) ?? 0
    lost.set(topic, before + 1)
    metrics.countEvent(topic, 'lost')
    if (before === 0)
      log.warn(
        { err: error, topic },
        'an event was lost; further lost events of its topic are counted until publishing works again',
      )
  }
  const notePublished = (topic: Topic): void => {
    const events = lost.get(topic)
    lost.delete(topic)
    metrics.countEvent(topic, 'published')
    if (events !== undefined) log.info({ topic, events }, 'events are published again; some were lost')
  }

  let listener: RedisListener | undefined
  const openListener = () =>
    createRedisListener(redis.openSubscriber(), (channel, text) => {
      const topic = channel.slice(channelPrefix.length)
      if (isTopic(topic)) receive(topic, text)
    })

  return {
    publish: async (topic, event) => {
      try {
        await redis.ask((client) => client.publish(channelPrefix + topic, JSON.stringify(event)))
        notePublished(topic)
      } catch (error) {
        noteLoss(topic, error)
      }
    },
    subscribe: async (topic, handler) => {
      const end = subscribers.add(topic, handler)
      listener ??= openListener()
      await listener.listen(channelPrefix + topic)
      return end
    },
    close: async () => {
      subscribers.clear()
      await listener?.close()
    },
  }
}
