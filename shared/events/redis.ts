import type { Log } from '../kernel/log.ts'
import { createParser } from '../kernel/schema.ts'
import type { RedisConnection } from '../storage/redis.ts'
import { type EventBus, isTopic, type Topic, topics } from './event-bus.ts'
import { createRedisListener, type RedisListener } from './redis-listener.ts'
import { createSubscribers } from './subscribers.ts'

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Events between processes: one channel a topic, JSON, checked on arrival and dropped if they do not fit. Publishes on `redis`, which stays its owner's; listens, from the first subscription on, on a connection of its own, which `close` ends. */
export const createRedisEventBus = ({ redis, log }: { readonly redis: RedisConnection; readonly log: Log }): EventBus => {
  const subscribers = createSubscribers(log)
  const channelPrefix = `${redis.prefix}event:`

  const receive = <T extends Topic>(topic: T, text: string) => {
    const event = createParser(topics[topic])(parseJson(text))
    if (event.ok) subscribers.deliver(topic, event.value)
    else log.warn({ topic, faults: event.faults }, 'An event that does not fit its topic was dropped')
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
      } catch (error) {
        log.warn({ err: error, topic }, 'An event was lost')
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
