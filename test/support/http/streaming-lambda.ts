import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { createStreamingLambda, type StreamingRuntime } from '../../../functions/http/lambda/create-streaming-lambda.ts'
import type { HttpEvent } from '../../../functions/http/lambda/request-through-pipe.ts'
import { type Door, readAnswer } from './door.ts'

/** Ends the metadata of an answer. */
const delimiter = Buffer.alloc(8)

/** What the runtime of Lambda does: metadata as JSON and eight NULs go before the first piece that is written, if any is. */
export const streamingRuntime: StreamingRuntime = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: {
    from: (answer, metadata) => {
      const write = answer.write.bind(answer)
      const writeFirst = (...args: Parameters<typeof write>) => {
        Object.assign(answer, { write })
        write(JSON.stringify(metadata))
        write(delimiter)
        return write(...args)
      }
      return Object.assign(answer, { write: writeFirst })
    },
  },
}

/** What a function URL hands to its Lambda for this request. */
export const createUrlEvent = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Uint8Array,
): HttpEvent => {
  const [rawPath = '/', ...search] = path.split('?')
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return {
    rawPath,
    rawQueryString: search.join('?'),
    headers: { host: 'id.lambda-url.eu-central-1.on.aws', ...Object.fromEntries(lowered) },
    requestContext: { http: { method, sourceIp: '127.0.0.1' } },
    ...(body === undefined ? {} : { body: Buffer.from(body).toString('base64') }),
    isBase64Encoded: body !== undefined,
  }
}

type Head = {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
}

/** An answer as it comes out of the Lambda. */
export type Streamed = { readonly head: Head; readonly body: Readable }

const readHead = async (wire: Readable): Promise<Head> => {
  let seen = Buffer.alloc(0)
  for (;;) {
    const piece: unknown = wire.read()
    if (piece === null) {
      await once(wire, 'readable')
      continue
    }
    if (!Buffer.isBuffer(piece)) throw new Error('the answer is not of bytes')
    seen = Buffer.concat([seen, piece])
    const end = seen.indexOf(delimiter)
    if (end < 0) continue
    wire.unshift(seen.subarray(end + delimiter.length))
    return JSON.parse(seen.subarray(0, end).toString('utf8')) as Head
  }
}

/** Calls the streaming Lambda of an app: its answer, and how the call itself ends. `wire` is what carries the answer away. */
export const callStreaming = (app: RequestListener, event: HttpEvent) => {
  const wire = new PassThrough()
  const ended = createStreamingLambda(async () => app, streamingRuntime)(event, wire, {})
  // As the runtime does when a call fails.
  ended.catch((error: Error) => wire.destroy(error))
  const streamed = readHead(wire).then((head): Streamed => ({ head, body: wire }))
  streamed.catch(() => undefined)
  return { streamed, ended, wire }
}

/** The app behind a streaming Lambda and its function URL. */
export const openStreamingDoor = async (app: RequestListener): Promise<Door> => ({
  send: async (method, path, headers, body) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const { streamed, ended } = callStreaming(app, createUrlEvent(method, path, { ...length, ...headers }, body))
    const { head, body: sent } = await streamed
    const pieces: Buffer[] = []
    for await (const piece of sent) pieces.push(piece)
    await ended
    const cookies = head.cookies.length === 0 ? {} : { 'set-cookie': head.cookies.join(',') }
    return readAnswer(head.statusCode, { ...head.headers, ...cookies }, Buffer.concat(pieces))
  },
  close: async () => undefined,
})
