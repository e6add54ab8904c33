import {
  type ChangedField,
  type Failure,
  GatehouseError,
  NotGatehouseError,
  type Problem,
  ProblemError,
  type ProblemFault,
  UnreachableError,
} from '../errors.ts'

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0])
  return 'cause' in error ? codeOf(error.cause) : ''
}

const tlsCode = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|EPROTO/
const byCode: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
}

const advice: Readonly<Record<Failure, string>> = {
  refused: 'Nothing listens there. Start the server (npm start), or check the port.',
  'unknown-host': 'The host name does not exist. Check its spelling, and that this machine is online.',
  tls: 'The secure connection failed. Check that the server uses https, and that its certificate is valid for this name and trusted here.',
  timeout: 'It did not answer in time. Check that it can be reached from here.',
  network: "Check the address, that the server is running, and that this page's origin is in its http.allowedOrigins.",
}

/** The reason that Node gives for a failed connection. Browsers give none, which makes it `network`. */
const failureOf = (error: unknown): Failure => {
  const code = codeOf(error)
  return byCode[code] ?? (tlsCode.test(code) ? 'tls' : 'network')
}

/** The error for an address without an answer. */
export const describeFailure = (url: string, cause: unknown, failure = failureOf(cause)): UnreachableError =>
  new UnreachableError(failure, `No server answers at ${url}. ${advice[failure]}`, { cause })

/** The same as `AbortSignal.any` for two. Browsers before 2024 do not have it. */
const follow = (signals: readonly AbortSignal[]): AbortSignal => {
  const either = new AbortController()
  for (const signal of signals) {
    const abort = () => either.abort(signal.reason)
    // Removed when either ends.
    signal.addEventListener('abort', abort, { once: true, signal: either.signal })
    if (signal.aborted) abort()
  }
  return either.signal
}

/** A signal that aborts when one of two does, with its reason. The first may be absent. */
export const eitherSignal = (first: AbortSignal | undefined, second: AbortSignal): AbortSignal =>
  first === undefined ? second : (AbortSignal.any?.([first, second]) ?? follow([first, second]))

type Refused = { readonly status: number; readonly text: string; readonly header: (name: string) => string | null | undefined }

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isFault = (value: unknown): value is ProblemFault => isRecord(value) && typeof value.message === 'string'

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string'

const isChangedField = (value: unknown): value is ChangedField =>
  isRecord(value) && typeof value.pointer === 'string' && isText(value.by) && isText(value.at)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Seconds, from either form of Retry-After (RFC 9110, section 10.2.3). */
const readRetryAfter = (text: string): number => {
  const seconds = Number(text)
  return text === '' || Number.isFinite(seconds) ? seconds : Math.ceil((Date.parse(text) - Date.now()) / 1_000)
}

/** Whether another attempt may succeed. */
export const isPassingStatus = (status: number): boolean => status >= 500 || status === 429

/** The error of a refusal. A stopping server answers without a problem and asks for a pause. */
export const readRefusal = (url: string, { status, text, header }: Refused): ProblemError | NotGatehouseError => {
  const said = parse(text)
  const body = isRecord(said) && typeof said.type === 'string' && typeof said.title === 'string' ? said : undefined
  const retryAfterSeconds = readRetryAfter(header('retry-after') ?? 'none')
  if (body === undefined && !(isPassingStatus(status) && retryAfterSeconds >= 0))
    return new NotGatehouseError(`${url} answered ${status}, but not like a Gatehouse server. Check the address.`, {
      status,
    })
  const requestId = header('x-request-id') ?? undefined
  const { detail, errors, changed, ...fields } = body ?? {}
  const problem: Problem = {
    ...fields,
    type: String(body?.type ?? 'about:blank'),
    title: String(body?.title ?? `${url} answered ${status}`),
    status,
    ...(typeof detail === 'string' && { detail }),
    ...(Array.isArray(errors) && { errors: errors.filter(isFault) }),
    ...(Array.isArray(changed) && { changed: changed.filter(isChangedField) }),
    ...(retryAfterSeconds >= 0 && { retryAfterSeconds }),
    ...(requestId !== undefined && { requestId }),
  }
  return new ProblemError(problem)
}

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

/** An absolute address; undefined if the text is not one. Many phones do not have `URL.canParse`. */
export const findUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** The base address of a server without a trailing slash. Throws GatehouseError `invalid-address` for an invalid one. */
export const parseServerAddress = (url: string): string => {
  const example = 'such as http://127.0.0.1:3000'
  const parsed = findUrl(url)
  if (parsed === undefined)
    throw new GatehouseError('invalid-address', `"${url}" is not an address. Give the whole address of the server, ${example}.`)
  const { protocol, origin, pathname, username, password } = parsed
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new GatehouseError(
      'invalid-address',
      `"${url}" does not begin with http:// or https://. Give the address of the server, ${example}.`,
    )
  if (username !== '' || password !== '')
    throw new GatehouseError(
      'invalid-address',
      `The address contains a user name or password. Sign in with them, and give ${origin} instead.`,
    )
  return origin + pathname.replace(/\/+$/, '')
}
