import type { Clock } from '../../kernel/clock.ts'
import { type Log, type LogLevel, openLog } from '../../kernel/log.ts'
import type { SentTraces } from './send-traces.ts'
import { traceFields } from './spans.ts'

/** A log whose lines have the ids of the current trace, and the traces; undefined without tracing. */
export type TracedLog = { readonly log: Log; readonly traces: SentTraces | undefined }

export type OpenTracingDeps = {
  readonly environment: { readonly logLevel: LogLevel; readonly tracesEndpoint?: string | undefined }
  /** The name of the process in the log and in traces. */
  readonly name: string
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Traces if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Otherwise the SDK of OpenTelemetry is not even loaded. */
export const openTracing = async ({ environment, name, clock }: OpenTracingDeps): Promise<TracedLog> => {
  const { logLevel: level, tracesEndpoint } = environment
  if (tracesEndpoint === undefined) return { log: openLog({ level, name }), traces: undefined }
  const { sendTraces } = await import('./send-traces.ts')
  const log = openLog({ level, name, fields: traceFields })
  const changed = (reason: string | undefined): void => {
    if (reason === undefined) log.info({}, 'traces are sent again')
    else log.warn({ reason }, 'traces cannot be sent; retrying with every batch')
  }
  return { log, traces: sendTraces({ serviceName: name, clock, changed }) }
}
