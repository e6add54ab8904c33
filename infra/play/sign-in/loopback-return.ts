import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { isToken } from '../../../shared/auth/tokens/tokens.ts'
import { createParser } from '../../../shared/kernel/schema.ts'
import { loopbackPage, loopbackPagePolicy } from './loopback-page.ts'

const parseReturned = createParser(Type.Object({ token: Type.String() }, { additionalProperties: true }))

/** A sign-in's return address on this machine (RFC 8252, section 7.3). */
export type LoopbackReturn = {
  /** Known to nobody but whom it is told. */
  readonly returnUrl: string
  /** The token that the browser brings; there may be none, ever. */
  readonly token: Promise<string>
  close(): Promise<void>
}

const bodyBytesMax = 4096
const requestMs = 10_000

const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': loopbackPagePolicy,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

const answer = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { ...headers, Connection: 'close' }).end()
}

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request) {
    length += piece.length
    if (length > bodyBytesMax) return undefined
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    return undefined
  }
}

const readToken = async (request: IncomingMessage): Promise<string | undefined> => {
  const returned = parseReturned(await readBody(request))
  return returned.ok && isToken(returned.value.token) ? returned.value.token : undefined
}

/** Our own page only: other pages give another origin, or may not send this type without a preflight, which nobody answers. */
const isFromOurPage = ({ headers: { origin, 'content-type': type } }: IncomingMessage, own: string): boolean =>
  origin === own && type?.split(';', 1)[0]?.trim() === 'application/json'

/**
 * Listens on a free port of 127.0.0.1 for the browser, below a path that holds `secret`. The page there hands over the fragment of its
 * address, which is in no request line; the first token that comes so is taken, and nothing after it.
 */
export const openLoopbackReturn = async (secret: string): Promise<LoopbackReturn> => {
  const path = `/gatehouse/${secret}`
  let isTaken = false
  let take: (token: string) => void
  const token = new Promise<string>((resolve) => {
    take = resolve
  })
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isFromOurPage(request, `http://${host}`)) return answer(response, 403)
    const brought = await readToken(request)
    if (brought === undefined) return answer(response, 400)
    if (isTaken) return answer(response, 409)
    isTaken = true
    response.once('close', () => take(brought))
    answer(response, 204)
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Another name for this address is how a foreign page would get here (DNS rebinding).
    if (request.headers.host !== host) return answer(response, 421)
    if (request.url !== path) return answer(response, 404)
    if (request.method === 'GET')
      return response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' }).end(loopbackPage)
    if (request.method !== 'POST') return answer(response, 405)
    return void receive(request, response).catch(() => response.destroy())
  })

  return {
    returnUrl: `http://${host}${path}`,
    token,
    close: async () => {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}
