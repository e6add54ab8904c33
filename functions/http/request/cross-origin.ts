import cors, { type CorsOptions } from 'cors'
import type { RequestHandler } from 'express'
import { isAllowedOrigin } from '../../../shared/domain/auth/page-origins.ts'
import type { HttpDeps } from '../../deps.ts'

/**
 * CORS for the current origins of `http.allowedOrigins`, and for pages on the same machine when the server only listens there.
 * Other origins get no CORS headers.
 */
export const crossOrigin = ({ configs, loopbackPages }: Pick<HttpDeps, 'configs' | 'loopbackPages'>): RequestHandler => {
  const http = () => configs.get('server.yaml').http
  const options: CorsOptions = {
    // Only allowed origins get this far: the header repeats the origin of the request.
    origin: true,
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
  }
  const allow = cors(options)
  const refuse = cors({ ...options, origin: false })
  return (req, res, next) => {
    if (http().allowedOrigins.length === 0 && !loopbackPages) return next()
    if (res.hasHeader('Vary')) res.vary('Origin')
    else res.setHeader('Vary', 'Origin')
    if (req.headers.origin === undefined) return next()
    return isAllowedOrigin(req.headers, { ...http(), loopbackPages }) ? allow(req, res, next) : refuse(req, res, next)
  }
}
