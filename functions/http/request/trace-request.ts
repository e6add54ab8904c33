import type { Request, Response } from 'express'
import type { Span, TraceHeaders } from '../../../shared/kernel/tracing.ts'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

/** The method of a request where it is one of HTTP's own, else `OTHER`: a client makes no new names in metrics and traces. */
export const knownMethod = (method: string): string => (methods.has(method) ? method : 'OTHER')

const headerOf = (req: Request, name: string): string | undefined => {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Which trace the client says that its request belongs to. */
export const readTraceHeaders = (req: Request): TraceHeaders => ({
  traceparent: headerOf(req, 'traceparent'),
  tracestate: headerOf(req, 'tracestate'),
})

/** Ends the span of a request that was answered: by route and status; a path may hold names, and is left out. */
export const endRequestSpan = (span: Span, { method }: Request, { statusCode }: Response, routePath: string): void => {
  const known = knownMethod(method)
  span.rename(`${known} ${routePath}`)
  span.add({ 'http.request.method': known, 'http.route': routePath, 'http.response.status_code': statusCode })
  if (statusCode >= 500) span.fail(String(statusCode))
  span.end()
}
