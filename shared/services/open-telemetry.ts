import type { Registry } from 'prom-client'
import { systemClock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { topics } from '../platform/events/event-bus.ts'
import { startMetricsServer } from '../platform/metrics/metrics-server.ts'
import { createMetricsRegistry, createServiceMetrics } from '../platform/metrics/service-metrics.ts'
import type { Environment } from '../platform/process/environment.ts'
import { describeListenFault } from '../platform/process/fail-start.ts'
import { openTracing } from '../platform/tracing/open-tracing.ts'
import type { ServicesOptions } from './services.ts'

const refuse = (cause: unknown): never => {
  const detail = describeListenFault(cause, { host: 'METRICS_HOST', port: 'METRICS_PORT' })
  if (detail === undefined) throw cause
  throw new AppError('invalid', 'bad-request', `The metrics listener cannot open. ${detail}`, { cause })
}

/** The metrics of one process, served at `METRICS_PORT` if it is set. Throws AppError `invalid` if the port cannot be opened. */
const openMetrics = async (environment: Environment): Promise<{ registry: Registry; close: () => Promise<void> }> => {
  const { metricsHost: host, metricsPort: port } = environment
  const registry = createMetricsRegistry()
  const server =
    port === undefined
      ? undefined
      : await startMetricsServer({ host, port, registry, baseUrl: environment.baseUrl }).catch(refuse)
  return { registry, close: async () => server?.close() }
}

/** The log, metrics and traces of a process. */
type Telemetry = {
  readonly log: Log
  /** For the metrics of each half. */
  readonly registry: Registry
  /** For `openServices`. */
  readonly services: Pick<Required<ServicesOptions>, 'metrics'>
  /** Sends remaining traces and closes the metrics listener. */
  close(): Promise<void>
}

/** Opens them with `name` in the log and in traces. Throws AppError `invalid` if `METRICS_PORT` cannot be opened. */
export const openTelemetry = async (environment: Environment, name: string): Promise<Telemetry> => {
  const { log, traces } = await openTracing({ environment, name, clock: systemClock })
  const { registry, close } = await openMetrics(environment)
  return {
    log,
    registry,
    services: { metrics: createServiceMetrics(registry, Object.keys(topics)) },
    close: async () => {
      await close()
      await traces?.close()
    },
  }
}
