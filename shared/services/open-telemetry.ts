import type { Registry } from 'prom-client'
import { systemClock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { topics } from '../platform/events/event-bus.ts'
import { createMetricsRegistry } from '../platform/metrics/metrics-registry.ts'
import { startMetricsServer } from '../platform/metrics/metrics-server.ts'
import { createPrometheusServiceMetrics } from '../platform/metrics/prometheus-service-metrics.ts'
import type { Environment } from '../platform/process/environment.ts'
import { describeListenFault } from '../platform/process/fail-start.ts'
import { openTracing } from '../platform/tracing/open-tracing.ts'
import type { ServicesOptions } from './services.ts'

const refuse = (cause: unknown): never => {
  const detail = describeListenFault(cause, { host: 'METRICS_HOST', port: 'METRICS_PORT' })
  if (detail === undefined) throw cause
  throw new AppError('invalid', 'bad-request', `The metrics have no listener. ${detail}`, { cause })
}

/** The metrics of one process, served where `METRICS_PORT` asks for it; throws AppError `invalid` when nothing can listen there. */
const openMetrics = async (environment: Environment): Promise<{ registry: Registry; close: () => Promise<void> }> => {
  const { metricsHost: host, metricsPort: port } = environment
  const registry = createMetricsRegistry()
  const server =
    port === undefined
      ? undefined
      : await startMetricsServer({ host, port, registry, baseUrl: environment.baseUrl }).catch(refuse)
  return { registry, close: async () => server?.close() }
}

/** What is seen of a process from outside: its log, its metrics, its traces. */
type Telemetry = {
  readonly log: Log
  /** For what the halves count. */
  readonly registry: Registry
  /** For `openServices`. */
  readonly services: Pick<Required<ServicesOptions>, 'metrics' | 'tracing'>
  /** Sends what is left of traces, and ends the listener of the metrics. */
  close(): Promise<void>
}

/** Under `name` in log and traces; throws AppError `invalid` when nothing can listen where `METRICS_PORT` says. */
export const openTelemetry = async (environment: Environment, name: string): Promise<Telemetry> => {
  const { log, tracing } = await openTracing({ environment, name, clock: systemClock })
  const { registry, close } = await openMetrics(environment)
  return {
    log,
    registry,
    services: { metrics: createPrometheusServiceMetrics(registry, Object.keys(topics)), tracing },
    close: async () => {
      await close()
      await tracing.close()
    },
  }
}
