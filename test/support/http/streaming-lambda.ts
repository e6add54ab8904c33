import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { PassThrough, type Readable, Writable } from 'node:stream'
import type { LambdaFunctionURLEvent, StreamifyHandler } from 'aws-lambda'
import { createStreamingLambda } from '../../../functions/http/lambda/create-streaming-lambda.ts'
import { createLambdaContext, createLambdaEvent } from '../../../infra/lambda-offline/lambda-offline-event.ts'
import { type Door, readAnswer } from './door.ts'

/** Ends the metadata of an answer. */
const delimiter = Buffer.alloc(8)

const asResponseStream = <Stream extends Writable>(stream: Stream) =>
  Object.assign(stream, { setContentType: (_contentType: string) => undefined })

/** Behaves as the runtime of Lambda: metadata as JSON and eight NULs come before the first chunk, if any. */
class HttpResponseStream extends Writable implements awslambda.HttpResponseStream {
  setContentType = (_contentType: string) => undefined

  static from(stream: Writable, metadata: Record<string, unknown>): HttpResponseStream {
    const write = stream.write.bind(stream)
    const writeFirst = (...args: Parameters<typeof write>) => {
      Object.assign(stream, { write })
      write(JSON.stringify(metadata))
      write(delimiter)
      return write(...args)
    }
    return asResponseStream(Object.assign(stream, { write: writeFirst }))
  }
}

const runtime: typeof awslambda = {
  streamifyResponse: <Event, Result>(handler: StreamifyHandler<Event, Result>) => handler,
  HttpResponseStream,
}

type Head = {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
}

/** An answer of the Lambda. */
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

/** Calls the streaming Lambda of an app; returns its answer, and the end of the call itself. `wire` carries the answer. */
export const callStreaming = (app: RequestListener, event: LambdaFunctionURLEvent) => {
  const wire = asResponseStream(new PassThrough())
  const ended = createStreamingLambda(async () => app, runtime)(event, wire, createLambdaContext())
  // The runtime does this when a call fails.
  ended.catch((error: Error) => wire.destroy(error))
  const streamed = readHead(wire).then((head): Streamed => ({ head, body: wire }))
  streamed.catch(() => undefined)
  return { streamed, ended, wire }
}

/** The app behind a streaming Lambda and its function URL. */
export const openStreamingDoor = async (app: RequestListener): Promise<Door> => ({
  send: async (method, path, headers, body) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const { streamed, ended } = callStreaming(
      app,
      createLambdaEvent({ method, target: path, headers: { ...length, ...headers }, body }),
    )
    const { head, body: sent } = await streamed
    const pieces: Buffer[] = []
    for await (const piece of sent) pieces.push(piece)
    await ended
    const cookies = head.cookies.length === 0 ? {} : { 'set-cookie': head.cookies.join(',') }
    return readAnswer(head.statusCode, { ...head.headers, ...cookies }, Buffer.concat(pieces))
  },
  close: async () => undefined,
})
