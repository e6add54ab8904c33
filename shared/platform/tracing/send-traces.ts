import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Clock } from '../../kernel/clock.ts'
import { version } from '../../kernel/version.ts'

export type SendTracesDeps = {
  /** The default of `OTEL_SERVICE_NAME`. */
  readonly serviceName: string
  readonly clock: Pick<Clock, 'monotonic'>
  /** Called with the reason when traces can no longer be sent, and without one when they can again. */
  readonly changed: (reason: string | undefined) => void
}

const flushMs = 500
const closeMs = 2000
/** How long to skip waiting for a receiver after it did not answer in time. */
const doubtMs = 30_000

/** Wraps `exporter` to report when it starts to fail and when it recovers. */
const tellChanges = (exporter: SpanExporter, changed: SendTracesDeps['changed']): SpanExporter => {
  let isAway = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const fails = result.code !== 0
        if (fails !== isAway) changed(fails ? (result.error?.message ?? 'unknown') : undefined)
        isAway = fails
        done(result)
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

/** Whether `work` succeeds within the time. Its later outcome is ignored. */
const isDoneWithin = async (milliseconds: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const done = work.then(
    () => true,
    () => false,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

/** The traces of this process. */
export type SentTraces = {
  /** Sends recorded spans. Resolves within half a second, even without success, and never rejects. */
  flush(): Promise<void>
  /** Sends recorded spans for the last time, within two seconds. */
  close(): Promise<void>
}

/**
 * Records the spans of this process by OpenTelemetry and sends them in batches over OTLP/HTTP, until it is closed. The SDK reads
 * endpoint, headers, sampler, limits and resource from the `OTEL_…` variables. Keeps a few thousand unsent spans and drops more.
 */
export const sendTraces = ({ serviceName, clock, changed }: SendTracesDeps): SentTraces => {
  const processor = new BatchSpanProcessor(tellChanges(new OTLPTraceExporter(), changed))
  const own = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version })
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  let doubtedUntilMs = Number.NEGATIVE_INFINITY

  return {
    flush: async () => {
      const flushed = isDoneWithin(flushMs, provider.forceFlush())
      if (clock.monotonic() < doubtedUntilMs) return
      if (!(await flushed)) doubtedUntilMs = clock.monotonic() + doubtMs
    },
    close: async () => {
      await isDoneWithin(closeMs, provider.shutdown())
      trace.disable()
      propagation.disable()
      // Otherwise every promise of the process would still carry it.
      context.disable()
    },
  }
}
