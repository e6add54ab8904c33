import cors from 'cors'
import type { RequestHandler } from 'express'
import type { HttpDeps } from '../../deps.ts'

/** CORS for exactly the origins of `http.allowedOrigins` as they are at the moment; every other origin gets no CORS header at all. */
export const crossOrigin = ({ configs }: Pick<HttpDeps, 'configs'>): RequestHandler => {
  const allowedOrigins = () => configs.get('server.yaml').http.allowedOrigins
  const answer = cors({
    origin: (origin, decide) => decide(null, origin !== undefined && allowedOrigins().includes(origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'X-Request-Id'],
    exposedHeaders: [
      'ETag',
      'X-Request-Id',
      'Retry-After',
      'Location',
      'X-Total-Blocks',
      'X-Block-Limit',
      'X-Config-Source',
      'X-Config-Effect',
    ],
    maxAge: 600,
  })
  return (req, res, next) => {
    if (allowedOrigins().length === 0) return next()
    res.vary('Origin')
    return req.headers.origin === undefined ? next() : answer(req, res, next)
  }
}
