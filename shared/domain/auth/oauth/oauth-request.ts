import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** A failure of an identity provider that ends the sign-in; its message contains no secret. */
export class IssuerFault extends Error {
  override readonly name = 'IssuerFault'
}

/** Timeout of one request to the identity provider, including its answer, in seconds. */
export const issuerTimeoutSeconds = 5
const answerBytesMax = 1024 * 1024
/** Shorter than the idle timeout of providers, which is five seconds or more. */
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

/** Some providers compress although the request does not accept it. */
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

/** Drops a byte order mark, which `JSON.parse` rejects. */
const utf8 = new TextDecoder()

type Outcome = { readonly resolve: (answer: IssuerAnswer) => void; readonly reject: (error: unknown) => void }

const readAnswer = (response: IncomingMessage, { resolve, reject: rejectWith }: Outcome): void => {
  const { statusCode: status = 0, headers } = response
  const body = decode(response)
  const reject = (error: unknown): void => {
    rejectWith(error)
    // Closing the connection does not stop decoding: a few received kilobytes may expand to gigabytes.
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

/** Whether the provider closed a kept connection while the request was on its way. No one has answered, so it may be sent again. */
const isGivenUp = (request: ClientRequest, error: Error): boolean =>
  request.reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

/** Resolves with the answer, or rejects with the first error and stops the request. Retries once if a kept connection was closed. */
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
 * Sends requests over kept connections with Node's own client, because `fetch` costs two and a half times as much and leaves garbage until
 * the next full collection. A request on a connection that the provider closes is sent once more, on a new one. An answer is read whole,
 * within five seconds and up to 1 MiB; redirects are not followed. Throws IssuerFault, and a DOMException `TimeoutError`.
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
