import type { Request, RequestHandler, Response } from 'express'
import type { HttpDeps } from '../deps.ts'

/** What is known of every request, whether or not a route answers it. */
export type RequestContext = {
  readonly requestId: string
  /** Without the query, as the client wrote it. */
  readonly path: string
  /** By the monotonic clock. */
  readonly startedMs: number
  /** The pattern of the route that took the request: what metrics are labelled with. */
  routePath: string
}

const saneRequestId = /^[A-Za-z0-9._-]{1,64}$/

/** The context that `startRequest` made for this answer. */
export const contextOf = (res: Response): RequestContext => res.locals.context

/** Gives every request its id, the client's own where it is sane, and notes when it began. */
export const startRequest = ({ ids, clock }: Pick<HttpDeps, 'ids' | 'clock'>): RequestHandler => {
  const readRequestId = (req: Request): string => {
    const sent = req.headers['x-request-id']
    return typeof sent === 'string' && saneRequestId.test(sent) ? sent : ids.uuid()
  }
  return (req, res, next) => {
    const context: RequestContext = {
      requestId: readRequestId(req),
      path: req.path,
      startedMs: clock.monotonic(),
      routePath: 'unmatched',
    }
    res.locals.context = context
    res.setHeader('X-Request-Id', context.requestId)
    next()
  }
}
