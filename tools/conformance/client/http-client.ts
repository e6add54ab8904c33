import * as http from 'node:http'
import * as https from 'node:https'
import { hostOf } from '../../../shared/kernel/loopback.ts'
import type { Answer } from './answer.ts'

/** A request to send. `target` is sent as it is written, dots and backslashes included. */
export type Outgoing = {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export type Incoming = Pick<Answer, 'status' | 'headers' | 'bytes' | 'text'>

/** Sends requests to one base address over keep-alive connections. Close it at the end. */
export type HttpClient = {
  /** Rejects with NoAnswer if none arrives in time. */
  send(outgoing: Outgoing): Promise<Incoming>
  close(): void
}

/** No answer arrived: the address cannot be reached, or the request timed out. */
export class NoAnswer extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'NoAnswer'
  }
}

/** The code of the error if it has one, such as `ECONNREFUSED`. */
const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return String(error)
  // Each address of the host was tried.
  if ('errors' in error && Array.isArray(error.errors)) return [...new Set(error.errors.map(codeOf))].join(', ')
  return 'code' in error ? String(error.code) : String(error)
}

type Transport = {
  request(options: http.RequestOptions & https.RequestOptions): http.ClientRequest
  readonly agent: http.Agent
}

const createTransport = (protocol: string): Transport => {
  if (protocol !== 'https:') return { request: (options) => http.request(options), agent: new http.Agent({ keepAlive: true }) }
  return { request: (options) => https.request(options), agent: new https.Agent({ keepAlive: true }) }
}

const collect = async (response: http.IncomingMessage): Promise<Incoming> => {
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  return { status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString('utf8') }
}

/** A client of `base`, an http or https address whose path precedes every target. A request times out after `timeoutMs`. */
export const createHttpClient = (base: string, timeoutMs: number): HttpClient => {
  const { protocol, hostname, port, pathname } = new URL(base)
  const { request, agent } = createTransport(protocol)
  const prefix = pathname.replace(/\/+$/, '')

  const exchange = ({ method, target, headers, body }: Outgoing, signal: AbortSignal): Promise<Incoming> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const place = { hostname: hostOf({ hostname }), ...(port === '' ? {} : { port }) }
      const outgoing = request({ ...place, agent, method, path: prefix + target, headers: { ...headers, ...length }, signal })
      let answered = false
      outgoing.once('response', (response) => {
        answered = true
        collect(response).then(resolve, reject)
      })
      // A server may refuse a large body and hang up before it has read all of it. Its answer counts.
      outgoing.on('error', (error) => {
        if (!answered) reject(error)
      })
      outgoing.end(body)
    })

  return {
    send: async (outgoing) => {
      const inTime = AbortSignal.timeout(timeoutMs)
      try {
        return await exchange(outgoing, inTime)
      } catch (cause) {
        if (inTime.aborted) throw new NoAnswer(`no answer within ${timeoutMs / 1000} s`, { cause })
        throw new NoAnswer(`no answer: ${codeOf(cause)}`, { cause })
      }
    },
    close: () => agent.destroy(),
  }
}
