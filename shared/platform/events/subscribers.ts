import type { Log } from '../../kernel/log.ts'
import type { EventHandler, EventOf, Topic } from './event-bus.ts'

/** The handlers of one process, by topic. */
type Subscribers = {
  /** Adds a handler. The returned function removes it. */
  add<T extends Topic>(topic: T, handler: EventHandler<T>): () => void
  /** Calls every handler of the topic, later and independently. A handler that throws is logged and does not affect the others. */
  deliver<T extends Topic>(topic: T, event: EventOf<T>): void
  clear(): void
}

type Subscription<T extends Topic> = { readonly handle: EventHandler<T> }
type SubscriptionsByTopic = { readonly [T in Topic]: Set<Subscription<T>> }

export const createSubscribers = (log: Log): Subscribers => {
  const subscriptions: SubscriptionsByTopic = {
    'account-changed': new Set(),
    'account-removed': new Set(),
    'sign-in-ended': new Set(),
    'configs-reloaded': new Set(),
    'zones-changed': new Set(),
    'spawn-changed': new Set(),
    'sanctions-changed': new Set(),
    'jobs-changed': new Set(),
    'chat-said': new Set(),
    announced: new Set(),
    'player-connected': new Set(),
    'player-kick': new Set(),
    'player-kicked': new Set(),
    'player-order': new Set(),
    'player-ordered': new Set(),
    'module-event': new Set(),
    'module-order': new Set(),
    'module-ordered': new Set(),
    'commands-switched': new Set(),
    'world-released': new Set(),
    'world-taken': new Set(),
  }

  const call = async <T extends Topic>(topic: T, { handle }: Subscription<T>, event: EventOf<T>) => {
    try {
      await handle(event)
    } catch (error) {
      log.error({ err: error, topic }, 'an event handler failed')
    }
  }

  return {
    add: (topic, handle) => {
      const subscription = { handle }
      subscriptions[topic].add(subscription)
      return () => subscriptions[topic].delete(subscription)
    },
    deliver: (topic, event) => {
      for (const subscription of subscriptions[topic]) {
        setImmediate(() => {
          if (subscriptions[topic].has(subscription)) void call(topic, subscription, event)
        })
      }
    },
    clear: () => {
      for (const all of Object.values(subscriptions)) all.clear()
    },
  }
}
