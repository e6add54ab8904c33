import { limitFaults } from '../../../kernel/describe-fault.ts'
import type { Log } from '../../../kernel/log.ts'
import { createParser } from '../../../kernel/schema.ts'
import { createServiceMetrics, type ServiceMetrics } from '../../metrics/service-metrics.ts'
import type { RedisConnection } from '../../storage/redis/redis.ts'
import { type EventBus, isTopic, type Topic, topics } from '../event-bus.ts'
import { createSubscribers } from '../subscribers.ts'
import { createRedisListener, type RedisListener } from './redis-listener.ts'

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
