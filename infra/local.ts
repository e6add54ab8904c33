import { setTimeout as pause } from 'node:timers/promises'
import { createPrometheusMetrics } from '../functions/http/prometheus-metrics.ts'
import { startNode } from '../realtime/node.ts'
import { createPrometheusRealtimeMetrics } from '../realtime/prometheus-metrics.ts'
import { parseEnvironment } from '../shared/kernel/env.ts'
import { createLog } from '../shared/kernel/log.ts'
import { version } from '../shared/kernel/version.ts'
import { openServices } from '../shared/services.ts'
import { failStart } from './fail-start.ts'
import { startHttpHalf } from './http-half.ts'
import { offerClaim } from './offer-claim.ts'
import { openMetrics } from './open-metrics.ts'
import { describeAddresses } from './print-addresses.ts'
import { readTenure } from './read-tenure.ts'
import { stopOnSignal } from './shutdown.ts'

/** `npm start`: both halves in one process, with no other service. */
const start = async (): Promise<void> => {
  const environment = parseEnvironment(process.env, 'all')
  const log = createLog(environment.logLevel, 'gatehouse')
  const services = await openServices(environment, log)
  const metrics = await openMetrics(environment)
  const node = await startNode(services, {
    tenure: await readTenure(environment),
    baseUrl: environment.baseUrl,
    serverVersion: version,
    metrics: createPrometheusRealtimeMetrics(metrics.registry),
  })
  const http = await startHttpHalf(environment, services, {
    metrics: createPrometheusMetrics(metrics.registry),
    upgrade: node.handleUpgrade,
  })
  const stop = stopOnSignal(
    [
      { name: 'readiness', run: http.beginShutdown },
      { name: 'players', run: () => node.close() },
      { name: 'delay', run: () => pause(environment.shutdownDelayMs) },
      { name: 'http', run: http.close },
      { name: 'metrics', run: metrics.close },
      { name: 'services', run: services.close },
    ],
    log,
  )
  node.onWorldLost(() => stop('another node may run the world from now on'))
  const { provider, local } = services.configs.get('server.yaml').auth
  process.stdout.write(
    describeAddresses({ ...environment, baseUrl: http.baseUrl }, provider !== 'local' || local.requirePassword),
  )
  await offerClaim(services.signIn, http.baseUrl, log)
}

start().catch(failStart)
