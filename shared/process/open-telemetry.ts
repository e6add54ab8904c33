import type { Registry } from 'prom-client'
import { systemClock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { createPrometheusServiceMetrics } from '../metrics/prometheus-service-metrics.ts'
import type { Environment } from '../services/environment.ts'
import type { ServicesOptions } from '../services/services.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import { openMetrics } from './open-metrics.ts'

/** What is seen of a process from outside: its log, its metrics, its traces. */
export type Telemetry = {
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
    services: { metrics: createPrometheusServiceMetrics(registry), tracing },
    close: async () => {
      await close()
      await tracing.close()
    },
  }
}
