import type { RequestListener } from 'node:http'
import { createRefusalAnswer, refuseUpgrade } from '../../realtime/socket/refuse-upgrade.ts'
import { pathOf } from '../../realtime/socket/answer-plain-requests.ts'
import { requestIdOf } from '../../shared/kernel/ids.ts'
import { isForAnyHost, misdirected } from '../../shared/kernel/known-hosts.ts'
import { createProblemReply } from '../../shared/kernel/problems/problem-reply.ts'
import type { UnreadableDeps } from './answer-unreadable.ts'
import type { UpgradeHandler } from './pass-on-upgrades.ts'

export type ForeignHostsDeps = UnreadableDeps & {
  readonly acceptsHost: (host: string | undefined) => boolean
  /** Where the server listens. */
  readonly listensOn: string
}

/** `app` for requests by a name of this server; all others are answered 421. Off loopback, health checks come by any name. */
export const refuseForeignHosts = (app: RequestListener, { acceptsHost, listensOn, ids, metrics, log }: ForeignHostsDeps) => {
  const listener: RequestListener = (request, response) => {
    const path = pathOf(request)
    if (acceptsHost(request.headers.host) || isForAnyHost(path, listensOn)) {
      app(request, response)
      return
    }
    const requestId = requestIdOf(request.headers['x-request-id'], ids)
    const { slug, problem } = createProblemReply(misdirected(), path)
    metrics.countProblem(slug)
    log.info({ requestId, slug }, 'a request for another host was refused')
    response.writeHead(problem.status, {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      Connection: 'close',
    })
    response.end(JSON.stringify(problem))
  }
  return listener
}

/** The same for upgrades. */
export const refuseForeignUpgrades =
  (upgrade: UpgradeHandler, { acceptsHost, ids, metrics }: ForeignHostsDeps): UpgradeHandler =>
  (request, socket, head) => {
    if (acceptsHost(request.headers.host)) return upgrade(request, socket, head)
    metrics.countProblem('misdirected-request')
    refuseUpgrade(socket, createRefusalAnswer(misdirected(), pathOf(request), requestIdOf(request.headers['x-request-id'], ids)))
  }
