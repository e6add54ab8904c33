import { ask, type Fetch, readJson, readText } from '../http/ask.ts'
import type { ApiPaths } from './generated/api-paths.ts'

/** A route by method and path, as `GET /api/admin/users/{email}`. */
export type Operation = keyof ApiPaths

type Part<O extends Operation, P extends 'params' | 'query' | 'body'> = ApiPaths[O][P]

/** A part that may be left out where nothing in it is needed. */
type Given<P extends string, T> = [T] extends [undefined]
  ? { readonly [K in P]?: undefined }
  : Record<never, never> extends T
    ? { readonly [K in P]?: T }
    : { readonly [K in P]: T }

/** What a route takes: `params`, `query` and `body` where it has them, `ifMatch`, `signal`. */
export type CallInput<O extends Operation> = Given<'params', Part<O, 'params'>> &
  Given<'query', Part<O, 'query'>> &
  Given<'body', Part<O, 'body'>> & {
    /** The `etag` of what was read: the server refuses the write when it has changed since (`/problems/stale`). */
    readonly ifMatch?: string
    readonly signal?: AbortSignal
  }

/** What the server answered, by its status. */
export type Answer<O extends Operation> = {
  readonly [S in keyof ApiPaths[O]['answers']]: {
    readonly status: S
    readonly body: ApiPaths[O]['answers'][S]
    /** Without quotes; where the server names a version of what it answered. */
    readonly etag?: string
  }
}[keyof ApiPaths[O]['answers']]

type Arguments<O extends Operation> = Record<never, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>]

/** Asks a route; throws ProblemError, UnreachableError or NotGatehouseError. */
export type Call = <O extends Operation>(operation: O, ...args: Arguments<O>) => Promise<Answer<O>>

/** Whoever asks: the base address, and a token that is alive; without one, somebody who is not signed in. */
export type Caller = {
  readonly url: string
  readonly token?: () => string
  readonly fetch?: Fetch
}

type Plain = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly ifMatch?: string
  readonly signal?: AbortSignal
}

const encode = (value: unknown): string => encodeURIComponent(String(value))

/** The path with its parameters; `{+name}` keeps slashes. */
const expand = (template: string, params: Plain['params'] = {}): string =>
  template.replace(/\{(\+?)(\w+)\}/g, (_, plus: string, name: string) =>
    plus === '' ? encode(params[name]) : String(params[name]).split('/').map(encode).join('/'),
  )

const toQuery = (query: Plain['query'] = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** The request of an operation, answered whatever it is. */
export const sendCall = (caller: Caller, operation: string, input: Plain = {}): Promise<Response> => {
  const { url, token, fetch = globalThis.fetch } = caller
  const [method = 'GET', template = '/'] = operation.split(' ')
  const { params, query, body, ifMatch, signal } = input
  return ask({
    fetch,
    url,
    path: expand(template, params) + toQuery(query),
    method,
    ...(token && { token: token() }),
    signal,
    ...(body !== undefined && { body }),
    ...(ifMatch !== undefined && { headers: { 'If-Match': `"${ifMatch}"` } }),
  })
}

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/

const readBody = async (response: Response, caller: Caller): Promise<unknown> => {
  if (response.status === 204) return undefined
  return jsonType.test(response.headers.get('content-type') ?? '') ? readJson(response, caller) : readText(response, caller)
}

/** Calls of one server by one account. */
export const createCall =
  (caller: Caller): Call =>
  async (operation, ...[input]) => {
    const response = await sendCall(caller, operation, input as Plain | undefined)
    const etag = response.headers.get('etag')?.replace(/^(W\/)?"|"$/g, '')
    const answer = { status: response.status, body: await readBody(response, caller), ...(etag !== undefined && { etag }) }
    // What the server answers is what its routes declare: its own tests hold that.
    return answer as never
  }
