import type { RequestHandler, Response } from 'express'
import { requestIdOf } from '../../../shared/kernel/ids.ts'
import type { Span } from '../../../shared/kernel/tracing.ts'
import type { HttpDeps } from '../../deps.ts'
import { readTraceHeaders } from './trace-request.ts'

/** What is known of every request, whether or not a route answers it. */
export type RequestContext = {
  readonly requestId: string
  /** Without the query, as the client wrote it. */
  readonly path: string
  /** By the monotonic clock. */
  readonly startedMs: number
  /** The pattern of the route that took the request: what metrics are labelled with. */
  routePath: string
  /** Browsers are sent to that route: who takes HTML is told problems by a page. */
  isForPeople: boolean
  /** What a trace tells of the request; absent where nothing is traced. */
  readonly span: Span | undefined
}

/** The context that `startRequest` made for this answer. */
export const contextOf = (res: Response): RequestContext => res.locals.context

/** Gives every request its id, the client's own where it is sane, and notes when it began. */
export const startRequest = ({ ids, clock, tracing }: Pick<HttpDeps, 'ids' | 'clock' | 'tracing'>): RequestHandler => {
  return (req, res, next) =>
    tracing.serve('request', readTraceHeaders(req), (span) => {
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
      span?.add({ 'gatehouse.request_id': context.requestId })
      // For answers that no route and no problem makes, as those to a browser that asks what it may send.
      if (span !== undefined) res.once('close', span.end)
      next()
    })
}
