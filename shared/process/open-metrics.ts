import type { Registry } from 'prom-client'
import { AppError } from '../kernel/errors.ts'
import { createMetricsRegistry } from '../metrics/metrics-registry.ts'
import { startMetricsServer } from '../metrics/metrics-server.ts'
import type { Environment } from '../services/environment.ts'
import { describeListenFault } from './listen-faults.ts'

const refuse = (cause: unknown): never => {
  const detail = describeListenFault(cause, { host: 'METRICS_HOST', port: 'METRICS_PORT' })
  if (detail === undefined) throw cause
  throw new AppError('invalid', 'bad-request', `The metrics have no listener. ${detail}`, { cause })
}

/** The metrics of one process, served where `METRICS_PORT` asks for it; throws AppError `invalid` when nothing can listen there. */
export const openMetrics = async (environment: Environment): Promise<{ registry: Registry; close: () => Promise<void> }> => {
  const { metricsHost: host, metricsPort: port } = environment
  const registry = createMetricsRegistry()
  const server = port === undefined ? undefined : await startMetricsServer({ host, port, registry }).catch(refuse)
  return { registry, close: async () => server?.close() }
}
