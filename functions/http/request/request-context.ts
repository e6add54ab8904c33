import type { RequestHandler, Response } from 'express'
import { requestIdOf } from '../../../shared/kernel/ids.ts'
import { type Span, serveInSpan } from '../../../shared/platform/tracing/spans.ts'
import type { HttpDeps } from '../../deps.ts'

/** Facts of every request, whether or not a route answers it. */
export type RequestContext = {
  readonly requestId: string
  /** Without the query, as the client wrote it. */
  readonly path: string
  /** By the monotonic clock. */
  readonly startedMs: number
  /** The pattern of the matching route, the label in metrics. */
  routePath: string
  /** Browsers are sent to this route: clients that accept HTML get problems as a page. */
  isForPeople: boolean
  readonly span: Span
}

/** The context that `startRequest` made for this answer. */
export const contextOf = (res: Response): RequestContext => res.locals.context

/** Gives every request its id, the client's own if it is valid, and records the start time. */
export const startRequest = ({ ids, clock }: Pick<HttpDeps, 'ids' | 'clock'>): RequestHandler => {
  return (req, res, next) =>
    serveInSpan('request', req.headers, (span) => {
      const context: RequestContext = {
        requestId: requestIdOf(req.headers['x-request-id'], ids),
        path: req.path,
        startedMs: clock.monotonic(),
        routePath: 'unmatched',
        isForPeople: false,
        span,
      }
      res.locals.context = context
      res.setHeader('X-Request-Id', context.requestId)
      span.setAttribute('gatehouse.request_id', context.requestId)
      // For answers that neither a route nor a problem makes, such as those to CORS preflights.
      if (span.isRecording()) res.once('close', () => span.end())
      next()
    })
}
