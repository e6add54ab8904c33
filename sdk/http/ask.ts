import { NotGatehouseError } from '../errors.ts'
import { describeFailure } from './describe-failure.ts'
import { eitherSignal } from './either-signal.ts'
import { readRefusal } from './read-refusal.ts'

/** `fetch` or a replacement. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

export type Asked = {
  readonly fetch: Fetch
  /** Base address of the server. */
  readonly url: string
  /** Path and query. */
  readonly path: string
  readonly method?: string
  readonly token?: string
  /** Sent as JSON, or a string as YAML. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly redirect?: 'follow' | 'manual'
  readonly signal?: AbortSignal | undefined
}

const answerMs = 30_000
/** The limit for the whole text of an answer, for slow networks. */
const textMs = 120_000

/** The abort controllers of requests whose answer has begun. */
const ends = new WeakMap<Response, AbortController>()

const toInit = ({ method = 'GET', token, body, headers, redirect = 'follow' }: Asked, signal: AbortSignal): RequestInit => ({
  method,
  redirect,
  signal,
  headers: {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': typeof body === 'string' ? 'application/yaml' : 'application/json' }),
    ...headers,
  },
  ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
})

/**
 * Sends one request. Throws ProblemError if the server refuses, UnreachableError if none answers within 30 s, and
 * NotGatehouseError if something else answers. Throws the signal's reason if it aborts, also while the body is read.
 */
export const ask = async (asked: Asked): Promise<Response> => {
  const { fetch, url, path, signal } = asked
  signal?.throwIfAborted()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), answerMs)
  const response = await fetch(`${url}${path}`, toInit(asked, eitherSignal(signal, late.signal)))
    .catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw describeFailure(url, cause, late.signal.aborted ? 'timeout' : undefined)
    })
    .finally(() => clearTimeout(timer))
  ends.set(response, late)
  if (response.status >= 400) {
    const { status, headers } = response
    const text = await readText(response, asked).catch(() => '')
    signal?.throwIfAborted()
    throw readRefusal(url, { status, text, header: (name) => headers.get(name) })
  }
  return response
}

/**
 * Reads the text of an answer. Throws UnreachableError if it breaks off or does not end within two minutes, and the signal's
 * reason.
 */
export const readText = async (response: Response, { url, signal }: Pick<Asked, 'url' | 'signal'>): Promise<string> => {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    ends.get(response)?.abort()
  }, textMs)
  try {
    return await response.text()
  } catch (cause) {
    signal?.throwIfAborted()
    throw describeFailure(url, cause, isLate ? 'timeout' : undefined)
  } finally {
    clearTimeout(timer)
  }
}

/** Reads the answer as JSON. Throws NotGatehouseError if it is not JSON, and otherwise as `readText` does. */
export const readJson = async (response: Response, asked: Pick<Asked, 'url' | 'signal'>): Promise<unknown> => {
  const text = await readText(response, asked)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new NotGatehouseError(`The address ${asked.url} does not belong to a Gatehouse server. Check the address.`, { cause })
  }
}
