import type { RequestListener } from 'node:http'
import express from 'express'
import { systemClock } from '../../../shared/kernel/clock.ts'
import type { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createProblemReply } from '../../../shared/kernel/problems/problem-reply.ts'
import { contextOf, startRequest } from '../request/request-context.ts'
import { securityHeaders } from '../request/security-headers.ts'

/** An app that answers every request with `error`, in the form of all other errors. */
export const refuseAll = (error: AppError): RequestListener => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(startRequest({ ids: systemIds, clock: systemClock }))
  app.use(securityHeaders())
  app.use((_req, res) => {
    const { problem, headers } = createProblemReply(error, contextOf(res).path)
    const body = JSON.stringify(problem)
    res.writeHead(problem.status, {
      'Cache-Control': 'no-store',
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    })
    res.end(body)
  })
  return app
}
