import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { LambdaFunctionURLEvent } from 'aws-lambda'

export type AnswerHead = {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: string[]
}

/** Headers of one connection, not of the request or the answer. */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade', 'expect'])

const endOfHead = '\r\n\r\n'

const headOf = (response: ServerResponse): AnswerHead => {
  const { 'set-cookie': cookies = [], ...others } = response.getHeaders()
  const headers = Object.entries(others).flatMap(([name, value]) =>
    value === undefined || hopByHop.has(name) ? [] : [[name, String(value)]],
  )
  return { statusCode: response.statusCode, headers: Object.fromEntries(headers), cookies: [cookies].flat().map(String) }
}

/**
 * The socket of a `ServerResponse`. Skips the bytes of the head, and passes the body to the stream of `open`, no faster than it
 * is read.
 */
class AnswerSocket extends Socket {
  private readonly open: () => Writable
  private head: Buffer | undefined = Buffer.alloc(0)
  private body: Writable | undefined
  override readonly remoteAddress: string

  constructor(remoteAddress: string, open: () => Writable) {
    super()
    this.remoteAddress = remoteAddress
    this.open = open
  }

  override _read(): void {}

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
    const piece = this.head === undefined ? bytes : this.skipHead(Buffer.concat([this.head, bytes]))
    if (piece === undefined || this.body === undefined || this.body.write(piece)) done()
    else this.body.once('drain', done)
  }

  override _writev(
    chunks: readonly { chunk: Buffer | string; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    const pieces = chunks.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk))
    this._write(Buffer.concat(pieces), 'utf8', done)
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.body === undefined) done(new Error('the answer ended before its head'))
    else this.body.end(done)
  }

  /** The Lambda has its own time limits. */
  override setTimeout(): this {
    return this
  }

  /** The bytes after the head, possibly none; undefined until the head is complete. */
  private skipHead(seen: Buffer): Buffer | undefined {
    const end = seen.indexOf(endOfHead)
    this.head = end === -1 ? seen : undefined
    if (end === -1) return undefined
    this.body = this.open()
    this.body.once('error', (error: Error) => this.destroy(error))
    return seen.subarray(end + endOfHead.length)
  }
}

/** HTTP/1.0 has no chunked coding, so the body is written as it is. */
const createRequest = (event: LambdaFunctionURLEvent, socket: Socket): IncomingMessage => {
  const { body, cookies = [], rawPath, rawQueryString, requestContext } = event
  const bytes = body === undefined ? undefined : Buffer.from(body, event.isBase64Encoded ? 'base64' : 'utf8')
  const sent = Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value ?? ''] as const)
  const headers = new Map(sent.filter(([name]) => !hopByHop.has(name) && name !== 'content-length'))
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
  if (bytes !== undefined) headers.set('content-length', String(bytes.length))
  const request = new IncomingMessage(socket)
  request.httpVersion = '1.0'
  request.httpVersionMajor = 1
  request.httpVersionMinor = 0
  request.method = requestContext.http.method
  request.url = rawQueryString === '' ? rawPath : `${rawPath}?${rawQueryString}`
  request.headers = Object.fromEntries(headers)
  request.rawHeaders = [...headers].flat()
  request.complete = true
  if (bytes !== undefined) request.push(bytes)
  request.push(null)
  return request
}

export type StreamedAnswer = {
  /** Resolves when the stream has accepted the whole answer; rejects when the answer breaks off. */
  readonly done: Promise<void>
  /** Tells the app that the client is gone. */
  destroy(): void
}

/**
 * Sends the request of `event` to `app` and writes the body of its answer to the stream of `open`, which is called once, with
 * the head. The app sees Node's own request and response, so back-pressure and disconnects work as on a socket.
 */
export const streamAnswer = (
  app: RequestListener,
  event: LambdaFunctionURLEvent,
  open: (head: AnswerHead) => Writable,
): StreamedAnswer => {
  const socket = new AnswerSocket(event.requestContext.http.sourceIp, () => open(headOf(response)))
  const request = createRequest(event, socket)
  const response = new ServerResponse(request)
  // With a header set, Node merges those of `writeHead` into `getHeaders`.
  response.setHeader('Connection', 'close')
  response.assignSocket(socket)
  // A server does this for its sockets.
  socket.on('drain', () => response.emit('drain'))
  response.once('finish', () => socket.end())
  const done = new Promise<void>((resolve, reject) => {
    let fault = new Error('the answer broke off')
    socket.on('error', (error) => {
      fault = error
    })
    socket.once('finish', () => socket.destroy())
    // The response has emitted its own `close` before.
    socket.once('close', () => (socket.writableFinished ? resolve() : reject(fault)))
  })
  app(request, response)
  return { done, destroy: () => socket.destroy() }
}
