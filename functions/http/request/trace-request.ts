import type { Request, Response } from 'express'
import { failSpan, type Span } from '../../../shared/platform/tracing/spans.ts'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

/** The method of a request if it is a standard one, else `OTHER`: clients cannot create new names in metrics and traces. */
export const knownMethod = (method: string): string => (methods.has(method) ? method : 'OTHER')

/** Ends the span of an answered request, by route and status. It omits the path, which may contain names. */
export const endRequestSpan = (span: Span, { method }: Request, { statusCode }: Response, routePath: string): void => {
  const known = knownMethod(method)
  span.updateName(`${known} ${routePath}`)
  span.setAttributes({ 'http.request.method': known, 'http.route': routePath, 'http.response.status_code': statusCode })
  if (statusCode >= 500) failSpan(span, String(statusCode))
  span.end()
}
