import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  createTraceState,
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Clock } from '../../kernel/clock.ts'
import type { Span, TraceHeaders, Tracing } from '../../kernel/tracing.ts'
import { version } from '../../kernel/version.ts'

export type OtelTracingDeps = {
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

/** W3C Trace Context, section 3.2. Later versions may append fields. */
const traceparentPattern = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/

const readParent = ({ traceparent = '', tracestate }: TraceHeaders): Context => {
  const [, traceId = '', spanId = '', flags = ''] = traceparentPattern.exec(traceparent) ?? []
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  if (!isSpanContextValid(parent)) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, tracestate ? { ...parent, traceState: createTraceState(tracestate) } : parent)
}

const toSpan = (span: OtelSpan): Span => {
  let isOver = false
  return {
    rename: (name) => void span.updateName(name),
    add: (facts) => void span.setAttributes(facts),
    fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
    end: () => {
      if (!isOver) span.end()
      isOver = true
    },
  }
}

/** Wraps `exporter` to report when it starts to fail and when it recovers. */
const tellChanges = (exporter: SpanExporter, changed: OtelTracingDeps['changed']): SpanExporter => {
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

/**
 * Traces by OpenTelemetry, sent in batches over OTLP/HTTP. The SDK reads endpoint, headers, sampler, limits and resource from the
 * `OTEL_…` variables. Keeps a few thousand unsent spans and drops more. Registers nothing globally.
 */
export const createOtelTracing = ({ serviceName, clock, changed }: OtelTracingDeps): Tracing => {
  const processor = new BatchSpanProcessor(tellChanges(new OTLPTraceExporter(), changed))
  const own = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version })
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] })
  const tracer = provider.getTracer('gatehouse', version)
  const storage = new AsyncLocalStorage<Context>()
  let doubtedUntilMs = Number.NEGATIVE_INFINITY

  return {
    serve: (name, headers, work) => {
      const parent = readParent(headers)
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent)
      return storage.run(trace.setSpan(parent, span), () => work(toSpan(span)))
    },
    call: (name, facts) => {
      const context = storage.getStore()
      return context && toSpan(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: facts }, context))
    },
    logFields: () => {
      const context = storage.getStore()
      const span = context && trace.getSpanContext(context)
      return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId, trace_flags: `0${span.traceFlags}` }
    },
    flush: async () => {
      const flushed = isDoneWithin(flushMs, provider.forceFlush())
      if (clock.monotonic() < doubtedUntilMs) return
      if (!(await flushed)) doubtedUntilMs = clock.monotonic() + doubtMs
    },
    close: async () => {
      await isDoneWithin(closeMs, provider.shutdown())
      // Otherwise every promise of the process would still carry it.
      storage.disable()
    },
  }
}
