import type { Registry } from 'prom-client'
import { startMetricsServer } from '../functions/http/metrics-server.ts'
import { createMetricsRegistry } from '../functions/http/prometheus-metrics.ts'
import type { Environment } from '../shared/kernel/env.ts'

/** The metrics of one process, served where `METRICS_PORT` asks for it. */
export const openMetrics = async (environment: Environment): Promise<{ registry: Registry; close: () => Promise<void> }> => {
  const { metricsHost: host, metricsPort: port } = environment
  const registry = createMetricsRegistry()
  const server = port === undefined ? undefined : await startMetricsServer({ host, port, registry })
  return { registry, close: async () => server?.close() }
}
