import type { CustomFetch, CustomFetchOptions } from 'openid-client'
import { isPlainLoopback } from '../../../kernel/loopback.ts'
import { createIssuerRequest, type IssuerAnswer, IssuerFault } from './oauth-request.ts'

/** What the library reads of them. */
const headersKept = ['content-type', 'www-authenticate'] as const

/**
 * The answer as the library takes it, whose text is there already: carried in a stream it would cost ten times as much to make and to
 * read. Throws IssuerFault for a status that no whole answer has.
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

/** What codes have brought, by the verifiers of their sign-ins: a code is good for one exchange. */
export type ExchangedCodes = Map<string, IssuerAnswer>

/** Whether what goes there can be read and changed on the way: anything but HTTPS, and HTTP within this machine. */
export const isPlainOnTheWire = (url: URL): boolean => url.protocol !== 'https:' && !isPlainLoopback(url)

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Where the provider says that something is. */
const addressOf = (text: string): URL => {
  const url = new URL(text)
  if (isPlainOnTheWire(url)) throw new IssuerFault('the identity provider names an address that is not HTTPS')
  if (url.username !== '' || url.password !== '') throw new IssuerFault('the identity provider names an address with a password')
  return url
}

/** Public papers of the provider: its metadata and keys, which are the only things that are read without a credential. */
const isDocument = ({ method, headers }: CustomFetchOptions): boolean => method === 'GET' && !('authorization' in headers)

/** The library sends forms, or nothing. */
const formOf = ({ body }: CustomFetchOptions): URLSearchParams | undefined => (body instanceof URLSearchParams ? body : undefined)

/**
 * How the library reaches the identity provider: over HTTPS (or loopback), within five seconds whatever signal comes along, answers
 * of 1 MiB at the most. It reads each document once, for everybody, and exchanges no code that `exchanged` knows.
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
    else if (!isJson(answer.body)) throw new IssuerFault('the identity provider describes itself in what is no JSON')
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
    if (!isJson(answer.body)) throw new IssuerFault('the token endpoint answered what is no JSON')
    if (verifier !== '') exchanged.set(verifier, answer)
    return answer
  }

  return async (url, options) => {
    if (options.method === 'POST') return toResponse(await exchange(url, options))
    return toResponse(await (isDocument(options) ? readDocument(url, options) : ask(url, options)))
  }
}
