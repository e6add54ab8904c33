import type { IncomingMessage, RequestListener } from 'node:http'
import { healthPaths } from '../../../shared/kernel/health-paths.ts'

/** About 10 ms of the event loop if each takes the longest way through the router. */
const perTurn = 16

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

/** `app`, which begins at most 16 requests in one iteration of the event loop, first come first served. */
const createLane = (app: RequestListener): RequestListener => {
  const waiting: (() => void)[] = []
  let begun = 0
  const turn = (): void => {
    const next = waiting.splice(0, perTurn)
    begun = next.length
    if (begun > 0) setImmediate(turn)
    for (const begin of next) begin()
  }
  return (req, res) => {
    if (begun === 0) setImmediate(turn)
    if (begun < perTurn) {
      begun += 1
      app(req, res)
    } else waiting.push(() => app(req, res))
  }
}

/**
 * `app`, which begins a burst of requests over several iterations of the event loop. Node delivers a burst all at once; players
 * would wait for the whole of it. Requests with a credential have a lane of their own, so they do not wait for the others. They
 * are paced too, because the credential is not checked yet and may be invented. Health checks never wait.
 */
export const paceRequests = (app: RequestListener): RequestListener => {
  const open = createLane(app)
  const withCredential = createLane(app)
  return (req, res) => {
    if (healthPaths.has(pathOf(req))) app(req, res)
    else if (req.headers.authorization === undefined) open(req, res)
    else withCredential(req, res)
  }
}
