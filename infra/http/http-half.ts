import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { allRoutes } from '../../functions/all-routes.ts'
import { createApp } from '../../functions/app.ts'
import { createDeps } from '../../functions/deps.ts'
import { createAppMessages } from '../../functions/http/app-messages.ts'
import type { HttpMetrics } from '../../functions/http/metrics.ts'
import { runDataJobs } from '../../shared/domain/backups/files/run-data-jobs.ts'
import { createAcceptsHost } from '../../shared/kernel/known-hosts.ts'
import type { Environment } from '../../shared/platform/process/environment.ts'
import type { Services } from '../../shared/services/wire-services.ts'
import { answerUnreadable, requireHost } from './answer-unreadable.ts'
import { routeUpgrades, type UpgradeHandler } from './pass-on-upgrades.ts'
import { refuseForeignHosts, refuseForeignUpgrades } from './refuse-foreign-hosts.ts'

/** The running HTTP half. */
export type HttpHalf = {
  readonly baseUrl: string
  /** The actual port. */
  readonly port: number
  /** From now on `/readyz` answers 503. */
  beginShutdown(): void
  /**
   * Accepts no new requests, drops proxied connections, and resolves when every pending answer is sent, or after a few seconds.
   */
  close(): Promise<void>
}

const drainMs = 5000
const sweepMs = 50
const readAheadMs = 20_000

const listen = async (server: Server, { host, port }: Environment): Promise<number> => {
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** `upgrade`, with a list of its sockets: a closing server waits for them and does not end them by itself. */
const trackUpgraded = (upgrade: UpgradeHandler): { track: UpgradeHandler; upgraded: ReadonlySet<Duplex> } => {
  const upgraded = new Set<Duplex>()
  const track: UpgradeHandler = (request, socket, head) => {
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    return upgrade(request, socket, head)
  }
  return { track, upgraded }
}

const closeServer = async (server: Server, upgraded: ReadonlySet<Duplex>): Promise<void> => {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const cut = () => {
    for (const socket of upgraded) socket.destroy()
  }
  cut()
  // After its answer a connection would stay open for another request, longer than the drain.
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
  const timer = setTimeout(() => {
    server.closeAllConnections()
    cut()
  }, drainMs)
  await closed
  clearInterval(sweep)
  clearTimeout(timer)
}

/**
 * Reads all accounts of `users.yaml` before the first request, so that no sign-in waits for it. A broken or slow file delays
 * sign-ins, but not the start.
 */
const readAccountsAhead = async ({ accounts }: Services): Promise<void> => {
  const over = new AbortController()
  const read = accounts.hasAdministrator().then(
    () => undefined,
    () => undefined,
  )
  await Promise.race([read, pause(readAheadMs, undefined, { signal: over.signal }).catch(() => undefined)])
  over.abort()
}

/** Serves every route, and passes WebSocket upgrades to `upgrade`. */
export const startHttpHalf = async (
  environment: Environment,
  services: Services,
  { metrics, upgrade }: { readonly metrics: HttpMetrics; readonly upgrade: UpgradeHandler },
): Promise<HttpHalf> => {
  if (environment.dynamodb === undefined) await readAccountsAhead(services)
  const messages = createAppMessages()
  const timeouts = { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 }
  const server = createServer({ ...messages, ...timeouts, requireHostHeader: false })
  const port = await listen(server, environment)
  const baseUrl = environment.port === 0 ? environment.baseUrl.replace(/:0$/, `:${port}`) : environment.baseUrl
  const deps = createDeps(services, baseUrl, metrics)
  answerUnreadable(server, deps)
  const hostDeps = {
    ...deps,
    listensOn: environment.host,
    acceptsHost: createAcceptsHost({
      listensOn: environment.host,
      urls: [baseUrl, environment.nodeUrl],
      hosts: () => services.configs.get('server.yaml').http.hosts,
    }),
  }
  const answer = requireHost(refuseForeignHosts(createApp(allRoutes, deps, messages), hostDeps), deps)
  server.on('request', answer)
  // Node would send a bare 417 for other expectations than 100-continue, but a server may ignore them (RFC 9110, section
  // 10.1.1).
  server.on('checkExpectation', answer)
  const { track, upgraded } = trackUpgraded(upgrade)
  routeUpgrades(server, refuseForeignUpgrades(track, hostDeps))
  const { backups } = services
  const dataJobs = backups && runDataJobs({ ...services, backups, dataDir: environment.dataDir })
  const close = async () => {
    await dataJobs?.close()
    await closeServer(server, upgraded)
  }
  return { baseUrl, port, beginShutdown: deps.readiness.beginShutdown, close }
}
