import { type IncomingMessage, maxHeaderSize, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpMetrics } from '../../functions/http/metrics.ts'
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

/** Where nobody knows what was asked for. */
const nowhere = '/'

const describeFault = (code: string | undefined): AppError => {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError(
      'too-large',
      'head-too-large',
      `The address and all headers of a request may be ${maxHeaderSize / 1024} KiB together; send fewer or shorter ones.`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('invalid', 'request-timeout', 'The request did not arrive whole in time; send it again.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new AppError(
      'too-large',
      'body-too-large',
      'The extensions of the chunks of a body may be 16 KiB together; send none.',
    )
  return new AppError('invalid', 'bad-request', 'What was sent is no HTTP request that can be read.')
}

/** Answers that are not out yet, of one connection: there are several where requests come without waiting for them. */
type UnderWay = Set<ServerResponse>

/** Of a request whose head was read, and whose body cannot be: it has an id and a path already. */
const knownOf = (underWay: UnderWay | undefined) => {
  const last = [...(underWay ?? [])].at(-1)
  const id = last?.getHeader('X-Request-Id')
  return last === undefined || typeof id !== 'string' ? undefined : { id, path: (last.req.url ?? nowhere).replace(/\?.*$/s, '') }
}

/**
 * Answers what Node itself refuses, before there is a request or in the middle of its body, in the words of every other refusal (RFC 9457);
 * by itself Node sends a bare status. The connection is closed after it.
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
    // What comes after it on the same connection is as unreadable.
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
    // One that is known is counted when its body breaks off.
    if (known === undefined) metrics.countProblem(fault.slug)
    log.info({ requestId, slug: fault.slug, code: error.code }, 'a request that cannot be read was refused')
    refuseUpgrade(socket, createRefusalAnswer(fault, known?.path ?? nowhere, requestId))
  })
}

const namesNoHost = ({ httpVersion, headers }: IncomingMessage): boolean => httpVersion === '1.1' && headers.host === undefined

/** Answers a request with the problem of `error` before the app sees it, and closes the connection. */
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

/** `app`, for requests that name a host, as all have to (RFC 9112, section 3.2). For a server made with `requireHostHeader: false`. */
export const requireHost =
  (app: RequestListener, deps: UnreadableDeps): RequestListener =>
  (request, response) => {
    if (!namesNoHost(request)) {
      app(request, response)
      return
    }
    const error = new AppError('invalid', 'bad-request', 'The request names no host; send the header `Host`.')
    const refusal = { path: nowhere, message: 'a request that names no host was refused' }
    refuseBeforeApp([request, response], error, refusal, deps)
  }
