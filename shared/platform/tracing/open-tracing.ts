import type { Clock } from '../../kernel/clock.ts'
import { type Log, type LogLevel, openLog } from '../../kernel/log.ts'
import { noTracing, type Tracing } from '../../kernel/tracing.ts'

/** A log whose lines have the ids of the current trace, and the traces. */
export type TracedLog = { readonly log: Log; readonly tracing: Tracing }

export type OpenTracingDeps = {
  readonly environment: { readonly logLevel: LogLevel; readonly tracesEndpoint?: string | undefined }
  /** The name of the process in the log and in traces. */
  readonly name: string
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Traces if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Otherwise OpenTelemetry is not even loaded. */
export const openTracing = async ({ environment, name, clock }: OpenTracingDeps): Promise<TracedLog> => {
  const { logLevel: level, tracesEndpoint } = environment
  if (tracesEndpoint === undefined) return { log: openLog({ level, name }), tracing: noTracing }
  const { createOtelTracing } = await import('./otel-tracing.ts')
  const changed = (reason: string | undefined): void => {
    if (reason === undefined) log.info({}, 'traces are sent again')
    else log.warn({ reason }, 'traces cannot be sent; retrying with every batch')
  }
  const tracing = createOtelTracing({ serviceName: name, clock, changed })
  const log = openLog({ level, name, ...(tracing.logFields && { fields: tracing.logFields }) })
  return { log, tracing }
}
