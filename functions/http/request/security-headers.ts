import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Pages load scripts and styles from here only. Not upgraded to HTTPS, because a laptop has none. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    imgSrc: ["'self'", 'data:'],
    objectSrc: ["'none'"],
    scriptSrcAttr: ["'none'"],
  },
}

/** The headers that helmet sets. They depend on no request, so they are computed once. */
const readHelmetHeaders = (): Map<string, string> => {
  const res = new ServerResponse(new IncomingMessage(new Socket()))
  helmet({ contentSecurityPolicy })(res.req, res, (error) => {
    if (error !== undefined) throw error
  })
  return new Map(Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)]))
}

/** helmet's headers on every answer. */
export const securityHeaders = (): RequestHandler => {
  const headers = readHelmetHeaders()
  return (_req, res, next) => {
    res.setHeaders(headers)
    next()
  }
}
