import { limitFaults } from '../../../kernel/describe-fault.ts'
import type { Log } from '../../../kernel/log.ts'
import { createParser } from '../../../kernel/schema.ts'
import { noServiceMetrics, type ServiceMetrics } from '../../metrics/service-metrics.ts'
import type { RedisConnection } from '../../storage/redis/redis.ts'
import { type EventBus, isTopic, type Topic, topics } from '../event-bus.ts'
import { createSubscribers } from '../subscribers.ts'
import { createRedisListener, type RedisListener } from './redis-listener.ts'

/** Longer than any event; what is longer is not even read. */
const charactersMax = 2_097_152

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Events between processes: one channel a topic, JSON, checked on arrival and dropped if they do not fit. Publishes on `redis`, which stays its owner's; listens, from the first subscription on, on a connection of its own, which `close` ends. */
export const createRedisEventBus = ({
  redis,
  log,
  metrics = noServiceMetrics,
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
    else log.warn({ topic, faults: limitFaults(event.faults) }, 'An event that does not fit its topic was dropped')
  }

  /** By topic, how many were lost since the last that went out: one line at the beginning of an outage and one at its end. */
  const lost = new Map<Topic, number>()
  const noteLoss = (topic: Topic, error: unknown): void => {
    const before = lost.get(topic) ?? 0
    lost.set(topic, before + 1)
    metrics.countEvent(topic, 'lost')
    if (before === 0) log.warn({ err: error, topic }, 'An event was lost; more of its topic are counted until one goes out again')
  }
  const notePublished = (topic: Topic): void => {
    const events = lost.get(topic)
    lost.delete(topic)
    metrics.countEvent(topic, 'published')
    if (events !== undefined) log.info({ topic, events }, 'Events go out again; so many were lost')
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
