import type { CustomFetch, CustomFetchOptions } from 'openid-client'
import type { Clock } from '../kernel/clock.ts'
import { isPlainLoopback } from '../kernel/loopback.ts'

/** What an identity provider did that no sign-in can go on from; its message holds nothing secret. */
export class IssuerFault extends Error {
  override readonly name = 'IssuerFault'
}

/** How long one request to the identity provider may take, in seconds, its answer read. */
export const issuerTimeoutSeconds = 5
const answerBytesMax = 1024 * 1024
/** How long discovery and keys are good for; unknown keys are looked for at once. */
const documentTtlMs = 10 * 60_000

type Answer = { readonly status: number; readonly headers: Headers; readonly body: string }
type Document = { readonly answer: Answer; readonly readAtMs: number }

/** Whether what goes there can be read and changed on the way: anything but HTTPS, and HTTP within this machine. */
export const isPlainOnTheWire = (url: URL): boolean => url.protocol !== 'https:' && !isPlainLoopback(url)

const readBody = async (response: Response): Promise<string> => {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.length
    if (length > answerBytesMax) throw new IssuerFault('the identity provider answered with more than 1 MiB')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const bodiless = new Set([101, 204, 205, 304])
const toResponse = ({ status, headers, body }: Answer): Response =>
  new Response(bodiless.has(status) ? null : body, { status, headers })

const ask = async (url: string, options: CustomFetchOptions): Promise<Answer> => {
  if (isPlainOnTheWire(new URL(url))) throw new IssuerFault('the identity provider names an address that is not HTTPS')
  const { method, headers, body, signal } = options
  const response = await fetch(url, {
    ...{ method, headers, redirect: 'manual' },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  })
  const kept = new Headers(response.headers)
  // The body is kept decoded.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name)
  return { status: response.status, headers: kept, body: await readBody(response) }
}

/** Public papers of the provider: its metadata and keys, which are the only things that are read without a credential. */
const isDocument = ({ method, headers }: CustomFetchOptions): boolean => method === 'GET' && !('authorization' in headers)

/**
 * How the library reaches the identity provider: over HTTPS (or loopback), answers of 1 MiB at the most, documents read once in ten
 * minutes for everybody.
 */
export const createIssuerFetch = ({ clock }: { readonly clock: Clock }) => {
  const documents = new Map<string, Document>()
  const underWay = new Map<string, Promise<Answer>>()

  const readAnew = async (url: string, options: CustomFetchOptions): Promise<Answer> => {
    const answer = await ask(url, options)
    if (answer.status === 200) {
      if (!isJson(answer.body)) throw new IssuerFault('the identity provider describes itself in what is no JSON')
      documents.set(url, { answer, readAtMs: clock.monotonic() })
    }
    return answer
  }

  const readDocument = (url: string, options: CustomFetchOptions): Promise<Answer> => {
    const reading = underWay.get(url) ?? readAnew(url, options).finally(() => underWay.delete(url))
    underWay.set(url, reading)
    return reading
  }

  return {
    /** What was read was of no use: the next sign-in reads it anew. */
    forget: () => documents.clear(),
    /** A `fetch` for one sign-in. */
    open: () => {
      let exchanged: Answer | undefined
      let isFresh = false
      let usedOld = false
      const send: CustomFetch = async (url, options) => {
        if (isDocument(options)) {
          const known = isFresh ? undefined : documents.get(url)
          if (known === undefined || clock.monotonic() - known.readAtMs >= documentTtlMs)
            return toResponse(await readDocument(url, options))
          usedOld = true
          return toResponse(known.answer)
        }
        if (options.method !== 'POST') return toResponse(await ask(url, options))
        const answer = exchanged ?? (await ask(url, options))
        if (answer.status === 200 && !isJson(answer.body)) throw new IssuerFault('the token endpoint answered what is no JSON')
        // A code is good for one exchange: what it brought is kept, in case it must be looked at with newer keys.
        if (answer.status === 200) exchanged = answer
        return toResponse(answer)
      }
      return {
        fetch: send,
        /** From now on documents are read anew; false where they were new already. */
        refresh: (): boolean => {
          const isUseful = usedOld && !isFresh
          isFresh = true
          return isUseful
        },
      }
    },
  }
}
