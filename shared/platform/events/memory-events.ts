import type { Log } from '../../kernel/log.ts'
import { createServiceMetrics, type ServiceMetrics } from '../metrics/service-metrics.ts'
import type { EventBus } from './event-bus.ts'
import { createSubscribers } from './subscribers.ts'

/** Events within one process. */
export const createMemoryEventBus = ({
  log,
  metrics = createServiceMetrics(),
}: {
  readonly log: Log
  readonly metrics?: Pick<ServiceMetrics, 'countEvent'>
}): EventBus => {
  const subscribers = createSubscribers(log)
  return {
    publish: async (topic, event) => {
      metrics.countEvent(topic, 'published')
      metrics.countEvent(topic, 'received')
      subscribers.deliver(topic, event)
    },
    subscribe: async (topic, handler) => subscribers.add(topic, handler),
    close: async () => subscribers.clear(),
  }
}
