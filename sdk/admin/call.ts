import { ask, type Fetch, readJson, readText } from '../http/ask.ts'
import type { ApiPaths } from './generated/api-paths.ts'

/** A route by method and path, such as `GET /api/admin/users/{email}`. */
export type Operation = keyof ApiPaths

type Part<O extends Operation, P extends 'params' | 'query' | 'body'> = ApiPaths[O][P]

/** A part that is optional if all of its members are. */
type Given<P extends string, T> = [T] extends [undefined]
  ? { readonly [K in P]?: undefined }
  : Record<never, never> extends T
    ? { readonly [K in P]?: T }
    : { readonly [K in P]: T }

/** The input of a route: `params`, `query` and `body` where it has them, `ifMatch`, `signal`. */
export type CallInput<O extends Operation> = Given<'params', Part<O, 'params'>> &
  Given<'query', Part<O, 'query'>> &
  Given<'body', Part<O, 'body'>> & {
    /** The `etag` of an earlier answer. If the data has changed since, the server refuses the write (`/problems/stale`). */
    readonly ifMatch?: string
    readonly signal?: AbortSignal
  }

/** The answer of the server, by its status. */
export type Answer<O extends Operation> = {
  readonly [S in keyof ApiPaths[O]['answers']]: {
    readonly status: S
    readonly body: ApiPaths[O]['answers'][S]
    /** Without quotes. Present if the answer has a version. */
    readonly etag?: string
    /** The id of the request. The audit log has it in the entry of a write. */
    readonly requestId?: string
  }
}[keyof ApiPaths[O]['answers']]

type Arguments<O extends Operation> = Record<never, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>]

/** Calls a route. Throws ProblemError, UnreachableError or NotGatehouseError. */
export type Call = <O extends Operation>(operation: O, ...args: Arguments<O>) => Promise<Answer<O>>

/** The base address and a live token of the caller. Without a token, requests are unauthenticated. */
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

/** Routes whose parameter is a name with slashes, such as `skills/spells`. */
const slashed = /^\/api\/admin\/config(s|-revisions)\//

/** The path with its parameters. */
const expand = (template: string, params: Plain['params'] = {}): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) =>
    slashed.test(template) ? String(params[name]).split('/').map(encode).join('/') : encode(params[name]),
  )

const toQuery = (query: Plain['query'] = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Sends the request of an operation and returns its answer, whatever its status. */
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

/** Creates the function that calls one server with one account. */
export const createCall =
  (caller: Caller): Call =>
  async (operation, ...[input]) => {
    const response = await sendCall(caller, operation, input as Plain | undefined)
    const etag = response.headers.get('etag')?.replace(/^(W\/)?"|"$/g, '')
    const requestId = response.headers.get('x-request-id')
    const answer = {
      status: response.status,
      body: await readBody(response, caller),
      ...(etag !== undefined && { etag }),
      ...(requestId !== null && { requestId }),
    }
    // The types come from the declarations of the server's routes, which its tests enforce.
    return answer as never
  }
