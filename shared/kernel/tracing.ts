/** The attributes of a span, with the names of OpenTelemetry. Never a key, a value, a path or a person. */
export type SpanFacts = Readonly<Record<string, string | number>>

/** An operation in a trace. */
export type Span = {
  rename(name: string): void
  add(facts: SpanFacts): void
  /** Marks the span as failed. `type` is the kind of fault, one of a few. */
  fail(type: string): void
  /** Ends the span. Later calls have no effect. */
  end(): void
}

/** The headers that assign a request to a trace (W3C Trace Context). */
export type TraceHeaders = { readonly traceparent?: string | undefined; readonly tracestate?: string | undefined }

/** Creates traces. Calls within a span, however much later, belong to it. */
export type Tracing = {
  /**
   * Runs `work` in a new span: the root of a trace, or the first span of this process in the trace of `headers`. The span is undefined
   * if nothing is traced. `work` must end it.
   */
  serve<T>(name: string, headers: TraceHeaders, work: (span: Span | undefined) => T): T
  /** Starts a span for a call of an external service; undefined if nothing is traced now. */
  call(name: string, facts: SpanFacts): Span | undefined
  /** Extra fields for a log line written now. */
  readonly logFields?: () => object
  /** Sends recorded spans. Resolves within half a second, even without success, and never rejects. */
  flush(): Promise<void>
  /** Sends recorded spans for the last time, within two seconds. */
  close(): Promise<void>
}

/** Traces nothing, without cost. */
export const noTracing: Tracing = {
  serve: (_name, _headers, work) => work(undefined),
  call: () => undefined,
  flush: async () => {},
  close: async () => {},
}
