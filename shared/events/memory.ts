import type { Log } from '../kernel/log.ts'
import type { EventBus } from './event-bus.ts'
import { createSubscribers } from './subscribers.ts'

/** Events within one process. */
export const createMemoryEventBus = ({ log }: { readonly log: Log }): EventBus => {
  const subscribers = createSubscribers(log)
  return {
    publish: async (topic, event) => subscribers.deliver(topic, event),
    subscribe: async (topic, handler) => subscribers.add(topic, handler),
    close: async () => subscribers.clear(),
  }
}
