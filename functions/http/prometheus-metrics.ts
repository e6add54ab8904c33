import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { HttpMetrics } from './metrics.ts'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

/** A registry with what Node tells of the process: memory, CPU, event loop delay, garbage collection. */
export const createMetricsRegistry = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Requests by route, method and status into `registry`; a client cannot make new label values. */
export const createPrometheusMetrics = (registry: Registry): HttpMetrics => {
  const durations = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time from the request to its answer, by route.',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  return {
    observe: ({ method, path, status, seconds }) =>
      durations.observe({ method: methods.has(method) ? method : 'OTHER', path, status }, seconds),
  }
}
