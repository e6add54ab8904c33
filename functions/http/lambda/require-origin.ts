import { timingSafeEqual } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { AppError } from '../../../shared/kernel/errors.ts'
import { hashSecret } from '../../../shared/kernel/ids.ts'
import { refuseAll } from './refuse-all.ts'

const header = 'x-origin-secret'

/**
 * `app` for requests that come through the proxy in front of it, which adds `x-origin-secret`. All others get a 404: a direct
 * caller could claim any address in `X-Forwarded-For`.
 */
export const requireOrigin = (app: RequestListener, secret: string): RequestListener => {
  const expected = Buffer.from(hashSecret(secret))
  const refuse = refuseAll(new AppError('not-found', 'not-found', 'There is nothing at this address.'))
  return (req, res) => {
    const sent = req.headers[header]
    delete req.headers[header]
    const isFromThere = typeof sent === 'string' && timingSafeEqual(Buffer.from(hashSecret(sent)), expected)
    return isFromThere ? app(req, res) : refuse(req, res)
  }
}
