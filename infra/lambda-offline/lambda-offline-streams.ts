import { type IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { LambdaFunctionURLEvent, StreamifyHandler } from 'aws-lambda'
import { streamRoutes } from '../../functions/streams/routes.ts'
import { createLambdaContext, createLambdaEvent } from './lambda-offline-event.ts'

/** Paths that CloudFront routes to the streaming function. */
const patterns = streamRoutes.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`))

/** Whether a request target belongs to the streaming function. */
export const isStreamed = (target: string): boolean => patterns.some((pattern) => pattern.test(target.split('?')[0] ?? ''))

const Metadata = Type.Object({
  statusCode: Type.Integer(),
  headers: Type.Record(Type.String(), Type.String()),
  cookies: Type.Array(Type.String()),
})

const asResponseStream = (response: ServerResponse): awslambda.HttpResponseStream =>
  Object.assign(response, { setContentType: (contentType: string) => void response.setHeader('content-type', contentType) })

/** The runtime of Lambda, in which the handler writes to the answer of a request. */
const runtime = {
  streamifyResponse: <Event, Result>(handler: StreamifyHandler<Event, Result>) => handler,
  HttpResponseStream: {
    from: (stream: Writable, metadata: Record<string, unknown>): awslambda.HttpResponseStream => {
      if (!(stream instanceof ServerResponse)) throw new Error('not the stream of an answer')
      const { statusCode, headers, cookies } = Value.Parse(Metadata, metadata)
      stream.writeHead(statusCode, { ...headers, ...(cookies.length > 0 && { 'set-cookie': cookies }) })
      return asResponseStream(stream)
    },
  },
}

const readBody = async (req: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of req) pieces.push(piece)
  return Buffer.concat(pieces)
}

/**
 * The packaged streaming function from the bundles in `folder`, as a request listener. It has the environment of this process.
 */
export const openStreams = async (folder: string) => {
  Object.assign(globalThis, { awslambda: runtime })
  const bundle: { readonly handler: StreamifyHandler<LambdaFunctionURLEvent, Promise<void>> } = await import(
    pathToFileURL(join(folder, 'streams', 'handler.js')).href
  )
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      const body = await readBody(req)
      const event = createLambdaEvent({
        method: req.method ?? 'GET',
        target: req.url ?? '/',
        headers: Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)])),
        body: body.length > 0 ? body : undefined,
        sourceIp: req.socket.remoteAddress ?? '',
      })
      await bundle.handler(event, asResponseStream(res), createLambdaContext())
    } catch {
      // A failed call is cut off, as behind a function URL.
      res.destroy()
    }
  }
}
