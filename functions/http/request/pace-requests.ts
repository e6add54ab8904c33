import type { IncomingMessage, RequestListener } from 'node:http'
import { healthPaths } from '../../../shared/kernel/health-paths.ts'

/** About 10 ms of the event loop where each takes the longest way through the router. */
const perTurn = 16

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

/**
 * `app`, which begins at most 16 requests in one turn of the event loop, first come first served. Node hands over a burst all at once;
 * players would wait for the whole of it. Health checks wait for none.
 */
export const paceRequests = (app: RequestListener): RequestListener => {
  const waiting: (() => void)[] = []
  let begun = 0
  const turn = (): void => {
    const next = waiting.splice(0, perTurn)
    begun = next.length
    if (begun > 0) setImmediate(turn)
    for (const begin of next) begin()
  }
  return (req, res) => {
    if (healthPaths.has(pathOf(req))) {
      app(req, res)
      return
    }
    if (begun === 0) setImmediate(turn)
    if (begun < perTurn) {
      begun += 1
      app(req, res)
    } else waiting.push(() => app(req, res))
  }
}
