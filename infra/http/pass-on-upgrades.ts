import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { createRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import { feedTargetIn } from '../../realtime/routing/feed-path.ts'
import { createUpgradePasser } from '../../realtime/routing/pass-on.ts'
import { requireWebSocket } from '../../realtime/routing/require-web-socket.ts'
import { createRetryWindow, retryWindowMs } from '../../realtime/routing/retry-window.ts'
import { createUpgradeRouter } from '../../realtime/routing/upgrade-router.ts'
import { pathOf } from '../../realtime/socket/answer-plain-requests.ts'
import { createRefusalAnswer, refuseUpgrade } from '../../realtime/socket/refuse-upgrade.ts'
import { type ClientAddresses, openClientAddresses } from '../../shared/domain/auth/client-address.ts'
import { createNodeDirectory } from '../../shared/domain/presence/node-directory.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { type Ids, requestIdOf } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { Environment } from '../../shared/platform/process/environment.ts'
import type { Services } from '../../shared/services/wire-services.ts'

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void | Promise<void>

const asksForWebSocket = ({ headers }: IncomingMessage): boolean =>
  (headers.upgrade ?? '').split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket')

const dropped: ReadonlySet<string> = new Set(['upgrade', 'connection', 'http2-settings'])

/** The original request without its upgrade headers. */
const withoutUpgrade = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!dropped.has(rawHeaders[at]?.toLowerCase() ?? '')) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/**
 * Passes WebSocket upgrades to `upgrade`. A request for any other protocol is answered as if it had no upgrade (RFC 9110,
 * section 7.8): Java's client and `curl --http2` offer h2c with their first request. Node 20 has no option for this.
 */
export const routeUpgrades = (server: Server, upgrade: UpgradeHandler): void => {
  server.on('upgrade', (request, socket, head) => {
    if (asksForWebSocket(request)) {
      void upgrade(request, socket, head)
      return
    }
    socket.unshift(Buffer.concat([withoutUpgrade(request), head]))
    server.emit('connection', socket)
  })
}

/** Connections of players, and feeds of zones and worlds. */
const isPassedOn = (path: string): boolean => path === '/realtime' || feedTargetIn(path) !== undefined

const nothingThere = new AppError('not-found', 'not-found', 'There is nothing at this address.')
const nodeAway = new AppError(
  'unavailable',
  'service-unavailable',
  'The real-time node does not answer. Try again in a moment.',
  {
    retryAfterSeconds: 2,
  },
)

type PassOnDeps = {
  readonly log: Log
  readonly ids: Pick<Ids, 'uuid'>
  readonly clients: ClientAddresses
  readonly clock: Pick<Clock, 'monotonic'>
  /** How long an upgrade waits for a node that may be starting; 2 s when absent. */
  readonly retryWindowMs?: number
}

/**
 * Passes upgrades of `/realtime` and of feeds on to `realtimeUrl`, a node or a balancer. Refuses other paths with 404. Answers
 * 503 while it is unavailable.
 */
export const passOnUpgrades = (realtimeUrl: string, deps: PassOnDeps): UpgradeHandler => {
  const { log, ids, clients } = deps
  const address = realtimeUrl.replace(/^ws/, 'http')
  const passer = createUpgradePasser(log, clients)
  const retryWindow = createRetryWindow({ retryWindowMs, ...deps, mayPass: (error) => error === nodeAway })
  return async (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const path = pathOf(request)
    try {
      if (!isPassedOn(path)) throw nothingThere
      requireWebSocket(request)
      await retryWindow.keepTrying(socket, async () => {
        if (!(await passer.passOn([{ address }], request, socket, head))) throw nodeAway
      })
    } catch (error) {
      if (!socket.destroyed)
        refuseUpgrade(socket, createRefusalAnswer(error, path, requestIdOf(request.headers['x-request-id'], ids)))
    }
  }
}

type RegistryDeps = Pick<Services, 'presence' | 'clock' | 'store' | 'activeSanctions' | 'log' | 'ids'> & {
  readonly clients: ClientAddresses
}

/**
 * Passes upgrades on, by the registry, to the node of the requested world. Without a world, to the first of `worldNames` that
 * runs.
 */
const passOnByRegistry = (worldNames: readonly string[], services: RegistryDeps): UpgradeHandler => {
  const nodes = createNodeDirectory(services)
  const deps = { ...services, nodes, here: () => undefined, worldNames: () => worldNames, metrics: createRealtimeMetrics() }
  return createUpgradeRouter(deps).handleUpgrade
}

/**
 * The handling of upgrades in the HTTP half, so that clients need only one address. Throws AppError `unavailable` while the
 * store is unavailable.
 */
export const createUpgradeHandler = async (
  { realtimeUrl, worldNames }: Pick<Environment, 'realtimeUrl' | 'worldNames'>,
  services: Pick<Services, 'presence' | 'clock' | 'store' | 'activeSanctions' | 'log' | 'ids' | 'configs'>,
): Promise<UpgradeHandler> => {
  const deps = { ...services, clients: await openClientAddresses(services) }
  return realtimeUrl === undefined ? passOnByRegistry(worldNames, deps) : passOnUpgrades(realtimeUrl, deps)
}
