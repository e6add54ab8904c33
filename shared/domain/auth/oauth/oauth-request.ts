import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** What an identity provider did that no sign-in can go on from; its message holds nothing secret. */
export class IssuerFault extends Error {
  override readonly name = 'IssuerFault'
}

/** How long one request to the identity provider may take, in seconds, its answer read. */
export const issuerTimeoutSeconds = 5
const answerBytesMax = 1024 * 1024
/** Providers give idle connections up after five seconds or more. */
const idleMs = 4000

export type IssuerRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export type IssuerAnswer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const unreachable = (cause: unknown): IssuerFault => new IssuerFault('the identity provider cannot be reached', { cause })

/** Nobody is asked for it, and some do it anyway. */
const decode = (response: IncomingMessage): Readable => {
  switch (response.headers['content-encoding']) {
    case 'gzip':
      return response.pipe(createGunzip())
    case 'deflate':
      return response.pipe(createInflate())
    case 'br':
      return response.pipe(createBrotliDecompress())
    default:
      return response
  }
}

/** Drops a byte order mark, at which a parser of JSON would stop. */
const utf8 = new TextDecoder()

type Outcome = { readonly resolve: (answer: IssuerAnswer) => void; readonly reject: (error: unknown) => void }

const readAnswer = (response: IncomingMessage, { resolve, reject: rejectWith }: Outcome): void => {
  const { statusCode: status = 0, headers } = response
  const body = decode(response)
  const reject = (error: unknown): void => {
    rejectWith(error)
    // The end of the connection is not that of decoding: a few kilobytes that are there already may be gigabytes.
    body.destroy()
  }
  const fail = (error: unknown) => reject(unreachable(error))
  const pieces: Buffer[] = []
  let length = 0
  body.on('data', (piece: Buffer) => {
    length += piece.length
    if (length > answerBytesMax) reject(new IssuerFault('the identity provider answered with more than 1 MiB'))
    else pieces.push(piece)
  })
  body.on('end', () => resolve({ status, headers, body: utf8.decode(Buffer.concat(pieces)) }))
  body.on('error', fail)
  response.on('error', fail)
  response.on('close', () => {
    if (!response.complete) fail(new Error('the connection was closed'))
  })
}

const timeoutError = () => new DOMException('The identity provider took too long.', 'TimeoutError')

/** Whether the provider gave a kept connection up while the request was on its way: nobody has answered it, so it may be sent again. */
const isGivenUp = (request: ClientRequest, error: Error): boolean =>
  request.reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

/** Rejects with what went wrong first, and lets nothing go on after that. A kept connection may fail it once. */
const finish = (begin: (isAgain: boolean) => ClientRequest, body: string | undefined): Promise<IssuerAnswer> =>
  new Promise((resolve, rejectWith) => {
    let isDecided = false
    const send = (isAgain: boolean): ClientRequest => {
      const sent = begin(isAgain)
      sent.on('error', (error) => {
        if (sent !== request) return
        if (!isAgain && !isDecided && isGivenUp(sent, error)) request = send(true)
        else reject(unreachable(error))
      })
      sent.on('response', (response) => {
        isDecided = true
        readAnswer(response, outcome)
      })
      return sent.end(body)
    }
    let request = send(false)
    const end = (): void => {
      isDecided = true
      clearTimeout(timer)
    }
    const reject = (error: unknown): void => {
      end()
      rejectWith(error)
      request.destroy()
    }
    const timer = setTimeout(() => reject(timeoutError()), issuerTimeoutSeconds * 1000)
    const outcome: Outcome = {
      resolve: (answer) => {
        end()
        resolve(answer)
      },
      reject,
    }
  })

/**
 * Sends requests over connections that are kept, by Node's own client. `fetch` costs two and a half times as much, and what it leaves behind stays until the next full collection. What meets a kept connection that the provider gives up goes once more, over
 * one of its own. An answer is read whole, within five seconds and up to 1 MiB; redirects are answers. Throws IssuerFault, and a DOMException `TimeoutError`.
 */
export const createIssuerRequest = () => {
  const options = { keepAlive: true, timeout: idleMs }
  const [httpAgent, httpsAgent] = [new HttpAgent(options), new HttpsAgent(options)]
  return (url: URL, { method, headers, body }: IssuerRequest): Promise<IssuerAnswer> => {
    const isPlain = url.protocol === 'http:'
    const sent = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'gatehouse', ...headers }
    const request = isPlain ? requestHttp : requestHttps
    const kept = isPlain ? httpAgent : httpsAgent
    return finish((isAgain) => request(url, { method, headers: sent, agent: isAgain ? false : kept }), body)
  }
}
