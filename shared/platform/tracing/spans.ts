import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { version } from '../../kernel/version.ts'

export type { Span } from '@opentelemetry/api'

/** Read for each span, because a provider may be registered later. Without one, spans record nothing and cost almost nothing. */
const tracer = () => trace.getTracer('gatehouse', version)

/**
 * Runs `work` in a new span, which `work` must end. The span continues the trace in `headers` (W3C Trace Context), or is the root of a
 * trace. Calls within it, however much later, belong to it. Attributes never contain a key, a value, a path or a person.
 */
export const serveInSpan = <T>(name: string, headers: object, work: (span: Span) => T): T => {
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER }, parent)
  return context.with(trace.setSpan(parent, span), () => work(span))
}

/** Starts a span for a call of an external service; undefined outside of a trace. */
export const startCall = (name: string, attributes: Attributes): Span | undefined =>
  trace.getActiveSpan() && tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes })

/** Marks the span as failed. `type` is the kind of fault, one of a few. */
export const failSpan = (span: Span, type: string): void => {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
}

/** The ids of the current trace, for a log line. */
export const traceFields = (): object => {
  const span = trace.getActiveSpan()?.spanContext()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId, trace_flags: `0${span.traceFlags}` }
}
