import { once } from 'node:events'
import { connect } from 'node:net'
import { proxyUpgrade } from 'httpxy'
import { zoneIdIn } from '../realtime/feeds/feed-path.ts'
import { createRefusalAnswer } from '../realtime/refusal-answer.ts'
import { refuseUpgrade } from '../realtime/refuse-upgrade.ts'
import { requestIdOf } from '../realtime/request-id-of.ts'
import { AppError } from '../shared/kernel/errors.ts'
import type { Ids } from '../shared/kernel/ids.ts'
import type { Log } from '../shared/kernel/log.ts'
import type { UpgradeHandler } from './route-upgrades.ts'

const connectTimeoutMs = 2000
const upgradeTimeoutMs = 5000

/** Players' connections, and feeds of zones. */
const isPassedOn = (path: string): boolean => path === '/realtime' || zoneIdIn(path) !== undefined

const nothingThere = new AppError('not-found', 'not-found', 'Nothing answers to this address.')
const nodeAway = new AppError(
  'unavailable',
  'service-unavailable',
  'The real-time node does not answer; try again in a moment.',
  {
    retryAfterSeconds: 2,
  },
)

/** Rejects when nothing listens at `url`; httpxy itself would close the client's connection without an answer. */
const reach = async (url: URL): Promise<void> => {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const probe = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port })
  try {
    await once(probe, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) })
  } finally {
    probe.destroy()
  }
}

export type PassOnDeps = { readonly log: Log; readonly ids: Pick<Ids, 'uuid'> }

/** Passes upgrades of `/realtime` and of zone feeds on to the node at `realtimeUrl`, so that clients need one address only; another path is refused with 404, and with 503 while the node is away. */
export const passOnUpgrades = (realtimeUrl: string, { log, ids }: PassOnDeps): UpgradeHandler => {
  const target = realtimeUrl.replace(/^ws/, 'http')
  return async (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const path = request.url?.split('?')[0] ?? ''
    const refuse = (error: AppError): void =>
      refuseUpgrade(socket, createRefusalAnswer(error, path, requestIdOf(request.headers, ids)))
    if (!isPassedOn(path)) {
      refuse(nothingThere)
      return
    }
    try {
      await reach(new URL(target))
    } catch (cause) {
      log.warn({ err: cause }, 'the real-time node is away')
      refuse(nodeAway)
      return
    }
    await proxyUpgrade(target, request, socket, head, { xfwd: true, upgradeTimeout: upgradeTimeoutMs }).catch(
      (cause: unknown) => {
        log.debug({ err: cause }, 'an upgrade was not taken')
      },
    )
  }
}
