import { collectDefaultMetrics, Registry } from 'prom-client'

/** A registry with Node's metrics of the process: memory, CPU, event loop delay, garbage collection. */
export const createMetricsRegistry = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
