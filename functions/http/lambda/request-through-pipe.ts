import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type RequestListener, request } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import type { LambdaFunctionURLEvent } from 'aws-lambda'

export type Pipe = {
  /** The head of the answer, whose body is read from it; rejects when the app cuts the connection before. */
  readonly response: Promise<IncomingMessage>
  /** Lets go of both ends; the app notices as it would of a client that goes away. */
  destroy(): void
}

const oneConnectionOnly = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect'])

const headersOf = ({ headers, cookies }: LambdaFunctionURLEvent): OutgoingHttpHeaders => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !oneConnectionOnly.has(name.toLowerCase()))),
  ...(cookies === undefined || cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
})

/** An end that goes away takes the other with it: what was read in full is out by then. */
const tie = (client: Duplex, server: Duplex): void => {
  server.once('close', () => {
    if (!server.writableFinished) client.destroy(new Error('the connection was cut'))
  })
  client.once('close', () => server.destroy())
}

/**
 * Asks `app` what `event` asks, through a connection in memory with Node's own HTTP at both ends. Streaming, back-pressure and clients
 * that go away work as on a socket.
 */
export const createPipe = (app: RequestListener, event: LambdaFunctionURLEvent): Pipe => {
  const { method, sourceIp } = event.requestContext.http
  const [client, server] = duplexPair()
  tie(client, server)
  // Time limits are those of the Lambda.
  const socket = Object.assign(server, { remoteAddress: sourceIp, setTimeout: () => server })
  createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 }, app).emit('connection', socket)
  const path = event.rawQueryString === '' ? event.rawPath : `${event.rawPath}?${event.rawQueryString}`
  const asking = request({ createConnection: () => client, method, path, headers: headersOf(event) })
  const response = once(asking, 'response').then(([head]: IncomingMessage[]) => {
    if (head === undefined) throw new Error('an answer without a head')
    return head
  })
  // Whoever lets go of it early does not wait for it.
  response.catch(() => undefined)
  asking.on('error', () => undefined)
  asking.end(event.body === undefined ? undefined : Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8'))
  return {
    response,
    destroy: () => {
      asking.destroy()
      client.destroy()
    },
  }
}
