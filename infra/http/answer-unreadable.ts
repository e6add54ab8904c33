import { type IncomingMessage, maxHeaderSize, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpMetrics } from '../../functions/http/metrics.ts'
import { isUploading } from '../../functions/http/request/read-upload.ts'
import { createRefusalAnswer, refuseUpgrade } from '../../realtime/socket/refuse-upgrade.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { type Ids, requestIdOf } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createProblemReply } from '../../shared/kernel/problems/problem-reply.ts'

export type UnreadableDeps = {
  readonly ids: Pick<Ids, 'uuid'>
  readonly metrics: Pick<HttpMetrics, 'countProblem'>
  readonly log: Pick<Log, 'info'>
}

/** The path of a request that cannot be parsed. */
const nowhere = '/'

const describeFault = (code: string | undefined): AppError => {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError(
      'too-large',
      'head-too-large',
      `The address and headers of the request are larger than ${maxHeaderSize / 1024} KiB. Send fewer or shorter ones.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('invalid', 'request-timeout', 'The request did not arrive completely in time. Send it again.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new AppError('too-large', 'body-too-large', 'The chunk extensions of the body are larger than 16 KiB. Send none.')
  return new AppError('invalid', 'bad-request', 'This is not a valid HTTP request.')
}

/** Unsent answers of one connection. Pipelined requests make several. */
type UnderWay = Set<ServerResponse>

/** The context of a request with a valid head and an invalid body: it already has an id and a path. */
const knownOf = (underWay: UnderWay | undefined) => {
  const last = [...(underWay ?? [])].at(-1)
  const id = last?.getHeader('X-Request-Id')
  return last === undefined || typeof id !== 'string' ? undefined : { id, path: (last.req.url ?? nowhere).replace(/\?.*$/s, '') }
}

/**
 * Answers requests that Node itself refuses with a problem, like every other refusal (RFC 9457). Node refuses before there is a
 * request, or in the middle of its body, and by default sends a bare status. Closes the connection afterwards.
 */
export const answerUnreadable = (server: Server, { ids, metrics, log }: UnreadableDeps): void => {
  const answers = new WeakMap<Duplex, UnderWay>()
  const answered = new WeakSet<Duplex>()
  const note: RequestListener = ({ socket }, response) => {
    const underWay = answers.get(socket) ?? new Set()
    answers.set(socket, underWay.add(response))
    response.once('close', () => underWay.delete(response))
  }
  server.on('request', note)
  server.on('checkExpectation', note)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The reader of an upload ends one that pauses.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUploading(socket)) return
    // The following data on this connection is invalid too.
    if (answered.has(socket)) return
    const underWay = answers.get(socket)
    const isBegun = [...(underWay ?? [])].some(({ headersSent }) => headersSent)
    if (error.code === 'ECONNRESET' || !socket.writable || isBegun) {
      socket.destroy()
      return
    }
    answered.add(socket)
    const fault = describeFault(error.code)
    const known = knownOf(underWay)
    const requestId = known?.id ?? ids.uuid()
    // A request with a context is counted when its body breaks off.
    if (known === undefined) metrics.countProblem(fault.slug)
    log.info({ requestId, slug: fault.slug, code: error.code }, 'refused an invalid request')
    refuseUpgrade(socket, createRefusalAnswer(fault, known?.path ?? nowhere, requestId))
  })
}

const namesNoHost = ({ httpVersion, headers }: IncomingMessage): boolean => httpVersion === '1.1' && headers.host === undefined

/** Answers a request with the problem of `error` before the app receives it, and closes the connection. */
export const refuseBeforeApp = (
  [request, response]: Parameters<RequestListener>,
  error: AppError,
  { path, message }: { readonly path: string; readonly message: string },
  { ids, metrics, log }: UnreadableDeps,
): void => {
  const requestId = requestIdOf(request.headers['x-request-id'], ids)
  const { slug, problem } = createProblemReply(error, path)
  metrics.countProblem(slug)
  log.info({ requestId, slug }, message)
  response.writeHead(problem.status, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    Connection: 'close',
  })
  response.end(JSON.stringify(problem))
}

/**
 * `app` for requests with a `Host` header, which all must have (RFC 9112, section 3.2). For a server with `requireHostHeader:
 * false`.
 */
export const requireHost =
  (app: RequestListener, deps: UnreadableDeps): RequestListener =>
  (request, response) => {
    if (!namesNoHost(request)) {
      app(request, response)
      return
    }
    const error = new AppError('invalid', 'bad-request', 'The request has no host. Send the header `Host`.')
    const refusal = { path: nowhere, message: 'refused a request without a host' }
    refuseBeforeApp([request, response], error, refusal, deps)
  }
