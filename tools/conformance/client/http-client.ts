import type { IncomingHttpHeaders } from 'node:http'
import * as http from 'node:http'
import * as https from 'node:https'
import { hostOf } from '../../../shared/kernel/loopback.ts'

/** One request as it was sent. `target` follows the method, without the path of the base address. */
type Sent = {
  readonly method: string
  readonly target: string
  readonly requestId: string
  readonly origin: string | undefined
  readonly accept: string | undefined
}

/** An answer as received: not decompressed, redirects not followed. */
export type Answer = {
  readonly sent: Sent
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The bytes as UTF-8. */
  readonly text: string
}

/** A header as one text; undefined if it is absent. */
export const headerOf = ({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined => {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

/** The media type without its parameters; undefined if there is none. */
export const mediaTypeOf = (answer: Pick<Answer, 'headers'>): string | undefined =>
  headerOf(answer, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()

/** The body as JSON; undefined if it is not JSON. */
export const jsonOf = ({ text }: Pick<Answer, 'text'>): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A request to send. `target` is sent as it is written, dots and backslashes included. */
type Outgoing = {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

type Incoming = Pick<Answer, 'status' | 'headers' | 'bytes' | 'text'>

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

/** Removes secrets from texts. */
export type Redactor = {
  /** From now on, hides `secret`. */
  hide(secret: string): void
  /** Hides every token in an answer. */
  hideTokens(text: string): void
  redact(text: string): string
}

const handedOut = /"token"\s*:\s*"([^"]{8,})"|[#&?]token=([^&\s"]{8,})/g

export const createRedactor = (): Redactor => {
  const secrets = new Set<string>()
  return {
    hide: (secret) => {
      if (secret !== '') secrets.add(secret)
    },
    hideTokens: (text) => {
      for (const [, inBody, inAddress] of text.matchAll(handedOut)) secrets.add(inBody ?? inAddress ?? '')
    },
    redact: (text) => [...secrets].reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text),
  }
}
