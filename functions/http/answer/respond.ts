import type { Request, Response } from 'express'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createProblemReply } from '../../../shared/kernel/problems/problem-reply.ts'
import { createTurns } from '../../../shared/kernel/turns.ts'
import type { HttpDeps } from '../../deps.ts'
import { matchesNoneMatch } from '../request/entity-tags.ts'
import { contextOf } from '../request/request-context.ts'
import { endRequestSpan } from '../request/trace-request.ts'
import type { Reply, StreamReply } from '../route.ts'
import { gzipPieces } from './gzip-pieces.ts'
import { createProblemPage } from './problem-page.ts'
import { isClientGone, sendStream } from './send-stream.ts'
import { collectPieces, wholeAnswerBytesMax } from './whole-answers.ts'

/** The ways in which a request ends. */
export type Respond = {
  /**
   * Resolves when the answer is handed to the socket. An answer over 64 KiB waits for an iteration of the event loop of its
   * own.
   */
  reply(req: Request, res: Response, reply: Reply): Promise<void>
  /** Resolves when the answer is sent or the client is gone. Rejects with errors of its pieces. */
  stream(req: Request, res: Response, reply: StreamReply): Promise<void>
  fail(req: Request, res: Response, error: unknown): void
}

const encodeBody = ({ body, contentType }: Reply): string | Uint8Array =>
  typeof body === 'string' && contentType !== undefined ? body : body instanceof Uint8Array ? body : JSON.stringify(body)

const isFresh = (req: Request, { status, etag }: Reply): boolean => {
  const noneMatch = req.headers['if-none-match']
  const readOnly = req.method === 'GET' || req.method === 'HEAD'
  return readOnly && status === 200 && etag !== undefined && noneMatch !== undefined && matchesNoneMatch(noneMatch, etag)
}

const setHead = (res: Response, { status, headers = {}, etag }: Pick<Reply, 'status' | 'headers' | 'etag'>): void => {
  res.statusCode = status
  res.setHeader('Cache-Control', etag === undefined ? 'no-store' : 'private, no-cache')
  if (etag !== undefined) res.setHeader('ETag', `"${etag}"`)
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}

/**
 * The reply in the best coding that it offers and the client accepts. Each coding has its own entity tag (RFC 9110, section
 * 8.8.3.3).
 */
const encodeReply = (req: Request, res: Response, reply: Reply): Reply => {
  const { encoded, etag, headers } = reply
  if (encoded === undefined) return reply
  res.vary('Accept-Encoding')
  const coding = (['br', 'gzip'] as const).find((one) => encoded[one] !== undefined && req.acceptsEncodings(one) === one)
  if (coding === undefined) return reply
  return {
    ...reply,
    body: encoded[coding],
    headers: { ...headers, 'Content-Encoding': coding },
    ...(etag !== undefined && { etag: `${etag}-${coding}` }),
  }
}

/** Larger answers go out one per iteration of the event loop, so that a burst delays the game no longer than one of them. */
const inOneTurnBytes = 64 * 1024

const withEncodedBody = (reply: Reply): Reply =>
  reply.body === undefined
    ? reply
    : { ...reply, body: encodeBody(reply), contentType: reply.contentType ?? 'application/json; charset=utf-8' }

const isLarge = ({ body }: Reply): boolean =>
  (typeof body === 'string' || body instanceof Uint8Array) && body.length > inOneTurnBytes

/** Writes a reply whose coding is chosen. */
const writeEncoded = (req: Request, res: Response, reply: Reply): void => {
  const fresh = isFresh(req, reply)
  const content = fresh || reply.body === undefined ? undefined : encodeBody(reply)
  setHead(res, fresh ? { ...reply, status: 304 } : reply)
  if (content !== undefined) {
    res.setHeader('Content-Type', reply.contentType ?? 'application/json; charset=utf-8')
    res.setHeader('Content-Length', Buffer.byteLength(content))
  }
  res.end(content)
}

const write = (req: Request, res: Response, reply: Reply): void => writeEncoded(req, res, encodeReply(req, res, reply))

/** Compresses a stream if the reply allows it and the client accepts it. */
const encodeStream = (req: Request, res: Response, reply: StreamReply): StreamReply => {
  if (reply.compress !== true) return reply
  res.vary('Accept-Encoding')
  if (req.acceptsEncodings('gzip', 'identity') !== 'gzip') return reply
  return { ...reply, headers: { ...reply.headers, 'Content-Encoding': 'gzip' }, pieces: gzipPieces(reply.pieces) }
}

/** Writes answers, and reports each to log and metrics once. */
export const createRespond = ({ log, metrics, clock, turns }: Pick<HttpDeps, 'log' | 'metrics' | 'clock' | 'turns'>): Respond => {
  // Requests with a credential do not wait for a burst of those without one.
  const openTurns = createTurns()
  const record = (req: Request, res: Response): void => {
    const { requestId, path, routePath, startedMs, span } = contextOf(res)
    const elapsedMs = clock.monotonic() - startedMs
    metrics.observe({ method: req.method, path: routePath, status: res.statusCode, seconds: elapsedMs / 1000 })
    const facts = { requestId, method: req.method, path, status: res.statusCode, elapsedMs }
    if (req.method === 'GET' || req.method === 'HEAD') log.debug(facts, 'request')
    else log.info(facts, 'request')
    if (span.isRecording()) endRequestSpan(span, req, res, routePath)
  }

  const explain = (res: Response, error: unknown): void => {
    const { requestId, path } = contextOf(res)
    if (!(error instanceof AppError)) log.error({ requestId, path, err: error }, 'request failed')
    else if (error.kind === 'unavailable')
      log.warn({ requestId, path, slug: error.slug, err: error.cause }, 'request refused: unavailable')
    else if (error.cause !== undefined) log.debug({ requestId, path, slug: error.slug, err: error.cause }, 'request refused')
  }

  const noteGone = (res: Response): void => {
    const { requestId, path } = contextOf(res)
    log.debug({ requestId, path }, 'the client went away')
  }

  const fail = (req: Request, res: Response, error: unknown): void => {
    if (isClientGone(error)) {
      noteGone(res)
      record(req, res)
      return
    }
    explain(res, error)
    if (res.headersSent) {
      res.destroy()
      record(req, res)
      return
    }
    const { path, requestId, isForPeople } = contextOf(res)
    const { slug, problem, headers } = createProblemReply(error, path)
    metrics.countProblem(slug)
    if (isForPeople) res.vary('Accept')
    const isPage = isForPeople && req.accepts(['application/problem+json', 'application/json', 'text/html']) === 'text/html'
    const page = isPage ? createProblemPage({ problem }, path, requestId) : undefined
    const shown = page ?? { body: problem, contentType: 'application/problem+json', headers: {} }
    write(req, res, { ...shown, status: problem.status, headers: { ...headers, ...shown.headers } })
    record(req, res)
  }

  const send = async (req: Request, res: Response, asked: StreamReply): Promise<void> => {
    const reply = encodeStream(req, res, asked)
    const bytesMax = wholeAnswerBytesMax(res)
    const begin = () => {
      setHead(res, reply)
      res.setHeader('Content-Type', reply.contentType)
    }
    if (req.method === 'HEAD') {
      await asked.pieces[Symbol.asyncIterator]().return?.()
      begin()
      res.end()
    } else if (bytesMax !== undefined) {
      write(req, res, { ...reply, body: await collectPieces(reply.pieces, bytesMax) })
    } else if (!(await sendStream(res, reply.pieces, { begin }))) noteGone(res)
  }

  return {
    fail,
    stream: async (req, res, reply) => {
      await send(req, res, reply)
      record(req, res)
    },
    reply: async (req, res, reply) => {
      const encoded = encodeReply(req, res, withEncodedBody(reply))
      if (isLarge(encoded)) await (req.headers.authorization === undefined ? openTurns : turns).next()
      writeEncoded(req, res, encoded)
      record(req, res)
    },
  }
}
