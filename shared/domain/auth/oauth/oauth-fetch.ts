import type { CustomFetch, CustomFetchOptions } from 'openid-client'
import { isPlainLoopback } from '../../../kernel/loopback.ts'
import { createIssuerRequest, type IssuerAnswer, IssuerFault } from './oauth-request.ts'

/** The headers that the library reads. */
const headersKept = ['content-type', 'www-authenticate'] as const

/**
 * The answer as a `Response` whose text is already there: a stream would cost ten times as much to make and read. Throws IssuerFault for a
 * status that a complete answer cannot have.
 */
const toResponse = (answer: IssuerAnswer): Response => {
  const { status, headers, body } = answer
  if (status < 200 || status > 599) throw new IssuerFault(`the identity provider answered with status ${status}`)
  const kept = headersKept.flatMap((name): [string, string][] => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value]]
  })
  return Object.assign(new Response(null, { status, headers: kept }), {
    text: async () => body,
    json: async (): Promise<unknown> => JSON.parse(body),
    clone: () => toResponse(answer),
  })
}

/** Answers of the token endpoint by the verifier of the sign-in. A code can be exchanged only once. */
export type ExchangedCodes = Map<string, IssuerAnswer>

/** Whether traffic to `url` can be read and changed on the way: anything but HTTPS, and HTTP within this machine. */
export const isPlainOnTheWire = (url: URL): boolean => url.protocol !== 'https:' && !isPlainLoopback(url)

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Parses an address that the provider names. */
const addressOf = (text: string): URL => {
  const url = new URL(text)
  if (isPlainOnTheWire(url)) throw new IssuerFault('the identity provider names an address that is not HTTPS')
  if (url.username !== '' || url.password !== '') throw new IssuerFault('the identity provider names an address with a password')
  return url
}

/** Whether it reads a public document of the provider: only metadata and keys are read without a credential. */
const isDocument = ({ method, headers }: CustomFetchOptions): boolean => method === 'GET' && !('authorization' in headers)

/** The library sends forms or no body. */
const formOf = ({ body }: CustomFetchOptions): URLSearchParams | undefined => (body instanceof URLSearchParams ? body : undefined)

/**
 * The transport of the library: HTTPS (or loopback), a timeout of five seconds and answers of at most 1 MiB. Each document is read once for
 * all sign-ins, and a code in `exchanged` is not exchanged again.
 */
export const createIssuerFetch = (exchanged: ExchangedCodes = new Map()): CustomFetch => {
  const documents = new Map<string, Promise<IssuerAnswer>>()
  const request = createIssuerRequest()

  const ask = async (url: string, options: CustomFetchOptions): Promise<IssuerAnswer> => {
    const { method, headers } = options
    return request(addressOf(url), { method, headers, body: formOf(options)?.toString() })
  }

  const readAnew = async (url: string, options: CustomFetchOptions): Promise<IssuerAnswer> => {
    const answer = await ask(url, options)
    if (answer.status !== 200) documents.delete(url)
    else if (!isJson(answer.body)) throw new IssuerFault('the metadata of the identity provider is not JSON')
    return answer
  }

  const readDocument = (url: string, options: CustomFetchOptions): Promise<IssuerAnswer> => {
    const known = documents.get(url)
    if (known !== undefined) return known
    const reading = readAnew(url, options).catch((error: unknown) => {
      documents.delete(url)
      throw error
    })
    documents.set(url, reading)
    return reading
  }

  const exchange = async (url: string, options: CustomFetchOptions): Promise<IssuerAnswer> => {
    const verifier = formOf(options)?.get('code_verifier') ?? ''
    const known = exchanged.get(verifier)
    if (known !== undefined) return known
    const answer = await ask(url, options)
    if (answer.status !== 200) return answer
    if (!isJson(answer.body)) throw new IssuerFault('the answer of the token endpoint is not JSON')
    if (verifier !== '') exchanged.set(verifier, answer)
    return answer
  }

  return async (url, options) => {
    if (options.method === 'POST') return toResponse(await exchange(url, options))
    return toResponse(await (isDocument(options) ? readDocument(url, options) : ask(url, options)))
  }
}
