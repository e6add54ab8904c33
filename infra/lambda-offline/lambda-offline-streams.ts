import { type IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { StreamingRuntime } from '../../functions/http/lambda/create-streaming-lambda.ts'
import type { HttpEvent } from '../../functions/http/lambda/request-through-pipe.ts'
import { streamRoutes } from '../../functions/streams/routes.ts'

/** Paths that CloudFront leads to the function that streams. */
const patterns = streamRoutes.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`))

/** Whether a request target is for the function that streams. */
export const isStreamed = (target: string): boolean => patterns.some((pattern) => pattern.test(target.split('?')[0] ?? ''))

type StreamingHandler = (event: HttpEvent, answer: ServerResponse, context: object) => Promise<void>

/** The runtime of Lambda, with the answer to a request as the stream that a handler writes to. */
const runtime: StreamingRuntime = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: {
    from: (answer, { statusCode, headers, cookies }) => {
      if (answer instanceof ServerResponse)
        answer.writeHead(statusCode, { ...headers, ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) })
      return answer
    },
  },
}

const readBody = async (req: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of req) pieces.push(piece)
  return Buffer.concat(pieces)
}

const createEvent = async (req: IncomingMessage): Promise<HttpEvent> => {
  const [rawPath = '/', ...search] = (req.url ?? '/').split('?')
  const body = await readBody(req)
  const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)])
  return {
    rawPath,
    rawQueryString: search.join('?'),
    headers: Object.fromEntries(headers),
    requestContext: { http: { method: req.method ?? 'GET', sourceIp: req.socket.remoteAddress ?? '' } },
    ...(body.length > 0 && { body: body.toString('base64') }),
    isBase64Encoded: body.length > 0,
  }
}

/** The packaged function that streams, of the bundles in `folder`, as a request listener; its environment is that of this process. */
export const openStreams = async (folder: string) => {
  Object.assign(globalThis, { awslambda: runtime })
  const bundle: { readonly handler: StreamingHandler } = await import(pathToFileURL(join(folder, 'streams', 'handler.js')).href)
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      await bundle.handler(await createEvent(req), res, {})
    } catch {
      // A call that fails is cut off, as behind a function URL.
      res.destroy()
    }
  }
}
