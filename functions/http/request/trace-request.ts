import type { Request, Response } from 'express'
import type { Span, TraceHeaders } from '../../../shared/kernel/tracing.ts'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

/** The method of a request if it is a standard one, else `OTHER`: clients cannot create new names in metrics and traces. */
export const knownMethod = (method: string): string => (methods.has(method) ? method : 'OTHER')

const headerOf = (req: Request, name: string): string | undefined => {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** The trace to which the client says its request belongs. */
export const readTraceHeaders = (req: Request): TraceHeaders => ({
  traceparent: headerOf(req, 'traceparent'),
  tracestate: headerOf(req, 'tracestate'),
})

/** Ends the span of an answered request, by route and status. It omits the path, which may contain names. */
export const endRequestSpan = (span: Span, { method }: Request, { statusCode }: Response, routePath: string): void => {
  const known = knownMethod(method)
  span.rename(`${known} ${routePath}`)
  span.add({ 'http.request.method': known, 'http.route': routePath, 'http.response.status_code': statusCode })
  if (statusCode >= 500) span.fail(String(statusCode))
  span.end()
}
