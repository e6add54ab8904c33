import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { refuseAll } from '../../functions/http/lambda/refuse-all.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { createAcceptsHost, misdirected } from '../../shared/kernel/known-hosts.ts'
import { isStreamed } from './lambda-offline-streams.ts'

export type FrontOptions = {
  /** The port of serverless-offline on this machine. */
  readonly httpPort: number
  /** The address for clients. */
  readonly baseUrl: string
  readonly streams: (req: IncomingMessage, res: ServerResponse) => Promise<void>
}

/**
 * serverless-offline allows pages of every origin, unlike API Gateway. Keeps only the CORS headers of the function, or all
 * methods in the answer to a preflight.
 */
const withoutForeignOrigins = ({ headers, rawHeaders }: IncomingMessage): readonly string[] => {
  const byFunction = /x-request-id/i.test(headers['access-control-expose-headers'] ?? '')
  const isPreflight = (headers['access-control-allow-methods'] ?? '').includes(',')
  const isDropped = (name: string) =>
    name === 'access-control-allow-credentials' || (name.startsWith('access-control-') && !byFunction && !isPreflight)
  return rawHeaders.filter((_text, at) => !isDropped((rawHeaders[at - (at % 2)] ?? '').toLowerCase()))
}

/** How long idle connections to serverless-offline are kept: it closes them after 5 s, which must not happen during a request. */
const idleMs = 1000

const passOn = (req: IncomingMessage, res: ServerResponse, port: number, agent: Agent): void => {
  const { method, url, headers } = req
  const asking = request({ host: '127.0.0.1', port, method, path: url, headers, agent }, (answer) => {
    res.writeHead(answer.statusCode ?? 500, [...withoutForeignOrigins(answer)])
    pipeline(answer, res).catch(() => res.destroy())
  })
  asking.once('error', () => {
    if (!res.headersSent) res.writeHead(502)
    res.end()
  })
  res.once('close', () => asking.destroy())
  req.pipe(asking)
}

/**
 * Whether serverless-offline would normalize this address (`/a/../b`, encoded or not, or with backslashes), and so answer for
 * another one.
 */
const wouldBeTidied = (target: string): boolean => {
  const [path = ''] = target.split(/[?#]/)
  return path.includes('\\') || path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part))
}

const refuseUntidy = refuseAll(new AppError('not-found', 'not-found', 'There is nothing at this address.'))
const refuseForeignHost = refuseAll(misdirected())

/**
 * One address in front of all functions, as CloudFront is in AWS: some paths go to the streaming function, all others to API
 * Gateway. Like every server on loopback it answers 421 to foreign host names.
 */
export const createFront = ({ httpPort, baseUrl, streams }: FrontOptions): Server => {
  const acceptsHost = createAcceptsHost({ listensOn: '127.0.0.1', urls: [baseUrl], hosts: () => [] })
  const agent = new Agent({ keepAlive: true, timeout: idleMs })
  const front = createServer((req, res) => {
    if (!acceptsHost(req.headers.host)) refuseForeignHost(req, res)
    else if (wouldBeTidied(req.url ?? '/')) refuseUntidy(req, res)
    else if (isStreamed(req.url ?? '/')) void streams(req, res)
    else passOn(req, res, httpPort, agent)
  })
  return front.once('close', () => agent.destroy())
}
