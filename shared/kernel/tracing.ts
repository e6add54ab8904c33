/** What is known of a piece of work, by the names that OpenTelemetry gives such facts; never a key, a value, a path or a person. */
export type SpanFacts = Readonly<Record<string, string | number>>

/** A piece of work that a trace tells of. */
export type Span = {
  rename(name: string): void
  add(facts: SpanFacts): void
  /** It went wrong; `type` is a name of the kind of fault, of which there are few. */
  fail(type: string): void
  /** Once; what comes later counts no more. */
  end(): void
}

/** Headers that say which trace a request belongs to (W3C Trace Context). */
export type TraceHeaders = { readonly traceparent?: string | undefined; readonly tracestate?: string | undefined }

/** Where traces go. What is called within a span, however much later, belongs to it. */
export type Tracing = {
  /** Runs `work` in a new span, the first of a trace or of this process's part in the trace of `headers`; in none where nothing is traced. `work` ends it. */
  serve<T>(name: string, headers: TraceHeaders, work: (span: Span | undefined) => T): T
  /** Begins a span of something that is asked of a service outside; undefined where nothing is traced at this moment. */
  call(name: string, facts: SpanFacts): Span | undefined
  /** What a log line bears that is written at this moment. */
  readonly logFields?: () => object
  /** Sends what is recorded, or gives up soon: resolves within half a second and never rejects. */
  flush(): Promise<void>
  /** The same, for the last time, within two seconds. */
  close(): Promise<void>
}

/** Traces nothing, at no cost. */
export const noTracing: Tracing = {
  serve: (_name, _headers, work) => work(undefined),
  call: () => undefined,
  flush: async () => {},
  close: async () => {},
}
