import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { proxyUpgrade } from 'httpxy'
import { zoneIdIn } from '../realtime/feeds/feed-path.ts'
import type { Log } from '../shared/kernel/log.ts'
import type { UpgradeHandler } from './route-upgrades.ts'

const connectTimeoutMs = 2000
const upgradeTimeoutMs = 5000

/** Players' connections, and feeds of zones. */
const isPassedOn = (path: string): boolean => path === '/realtime' || zoneIdIn(path) !== undefined

const refuse = (socket: Duplex, status: string, headers = ''): void => {
  socket.end(`HTTP/1.1 ${status}\r\n${headers}Connection: close\r\nContent-Length: 0\r\n\r\n`)
}

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

/** Passes upgrades of `/realtime` and of zone feeds on to the node at `realtimeUrl`, so that clients need one address only; another path is refused with 404, and with 503 while the node is away. */
export const passOnUpgrades = (realtimeUrl: string, log: Log): UpgradeHandler => {
  const target = realtimeUrl.replace(/^ws/, 'http')
  return async (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (!isPassedOn(request.url?.split('?')[0] ?? '')) {
      refuse(socket, '404 Not Found')
      return
    }
    try {
      await reach(new URL(target))
    } catch (cause) {
      log.warn({ err: cause }, 'the real-time node is away')
      refuse(socket, '503 Service Unavailable', 'Retry-After: 2\r\n')
      return
    }
    await proxyUpgrade(target, request, socket, head, { xfwd: true, upgradeTimeout: upgradeTimeoutMs }).catch(
      (cause: unknown) => {
        log.debug({ err: cause }, 'an upgrade was not taken')
      },
    )
  }
}
