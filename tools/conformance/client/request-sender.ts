import type { Send } from '../clean-up.ts'
import { type Answer, type HttpClient, headerOf, jsonOf, type Redactor } from './http-client.ts'

/** Sends one request: `send('GET /healthz', bearer)`. After a 429 it waits as long as the answer says, and repeats it. */
export type SendRequest = (what: string, bearer: string | undefined, send?: Send) => Promise<Answer>

export type RequestSenderDeps = {
  readonly client: HttpClient
  readonly redactor: Redactor
  readonly newRequestId: () => string
  /** Receives every answer except those to odd addresses, including answers whose request is repeated. */
  readonly observe: (answer: Answer) => void
  readonly waitSeconds: (seconds: number) => Promise<void>
}

const asksMax = 4
const waitSecondsMax = 90
const waitSecondsDefault = 5

const bodyOf = ({ json, yaml, raw }: Send): { readonly body?: string | Uint8Array; readonly mediaType?: string } => {
  if (raw !== undefined) return { body: raw }
  if (yaml !== undefined) return { body: yaml, mediaType: 'application/yaml' }
  return json === undefined ? {} : { body: JSON.stringify(json), mediaType: 'application/json' }
}

/** How long to wait before the same request may pass; undefined if a repeat cannot help. */
const findWait = (answer: Answer): number | undefined => {
  const problem = jsonOf(answer)
  const type = typeof problem === 'object' && problem !== null && 'type' in problem ? problem.type : undefined
  if (answer.status !== 429 && type !== '/problems/hashing-busy') return undefined
  const seconds = Number(headerOf(answer, 'Retry-After') ?? waitSecondsDefault)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), waitSecondsMax) : waitSecondsDefault
}

/** Sends one request at a time, each with an id of its own, which identifies its answer and its lines in the server's log. */
export const createRequestSender = ({ client, redactor, newRequestId, observe, waitSeconds }: RequestSenderDeps): SendRequest => {
  const sendOnce: SendRequest = async (what, bearer, send = {}) => {
    const space = what.indexOf(' ')
    const [method, target] = [what.slice(0, space), what.slice(space + 1)]
    const { body, mediaType } = bodyOf(send)
    const headers: Record<string, string> = {
      'X-Request-Id': newRequestId(),
      ...(mediaType === undefined ? {} : { 'Content-Type': mediaType }),
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...send.headers,
    }
    const came = await client.send({ method, target, headers, body })
    redactor.hideTokens(came.text)
    redactor.hideTokens(headerOf(came, 'Location') ?? '')
    const sent = { method, target, requestId: headers['X-Request-Id'] ?? '', origin: headers.Origin, accept: headers.Accept }
    const answer = { ...came, sent }
    if (send.odd !== true) observe(answer)
    return answer
  }
  return async (what, bearer, send) => {
    for (let asked = 1; ; asked += 1) {
      const answer = await sendOnce(what, bearer, send)
      const seconds = findWait(answer)
      if (seconds === undefined || asked === asksMax) return answer
      await waitSeconds(seconds)
    }
  }
}
