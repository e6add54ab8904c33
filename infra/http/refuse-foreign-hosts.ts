import type { RequestListener } from 'node:http'
import { pathOf } from '../../realtime/socket/answer-plain-requests.ts'
import { createRefusalAnswer, refuseUpgrade } from '../../realtime/socket/refuse-upgrade.ts'
import { requestIdOf } from '../../shared/kernel/ids.ts'
import { isForAnyHost, misdirected } from '../../shared/kernel/known-hosts.ts'
import { refuseBeforeApp, type UnreadableDeps } from './answer-unreadable.ts'
import type { UpgradeHandler } from './pass-on-upgrades.ts'

export type ForeignHostsDeps = UnreadableDeps & {
  readonly acceptsHost: (host: string | undefined) => boolean
  /** The address on which the server listens. */
  readonly listensOn: string
}

/** `app` for requests with a host name of this server. All others get a 421. Off loopback, health checks may use any name. */
export const refuseForeignHosts =
  (app: RequestListener, deps: ForeignHostsDeps): RequestListener =>
  (request, response) => {
    const path = pathOf(request)
    if (deps.acceptsHost(request.headers.host) || isForAnyHost(path, deps.listensOn)) {
      app(request, response)
      return
    }
    refuseBeforeApp([request, response], misdirected(), { path, message: 'refused a request for another host' }, deps)
  }

/** The same for upgrades. */
export const refuseForeignUpgrades =
  (upgrade: UpgradeHandler, { acceptsHost, ids, metrics }: ForeignHostsDeps): UpgradeHandler =>
  (request, socket, head) => {
    if (acceptsHost(request.headers.host)) return upgrade(request, socket, head)
    metrics.countProblem('misdirected-request')
    refuseUpgrade(socket, createRefusalAnswer(misdirected(), pathOf(request), requestIdOf(request.headers['x-request-id'], ids)))
  }
