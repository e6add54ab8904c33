import { setTimeout as pause } from 'node:timers/promises'
import { refuseUnsafeSettings } from '../functions/create-deps.ts'
import { startMetricsServer } from '../functions/http/metrics-server.ts'
import { createMetricsRegistry, createPrometheusMetrics } from '../functions/http/prometheus-metrics.ts'
import { parseEnvironment } from '../shared/kernel/env.ts'
import { createLog } from '../shared/kernel/log.ts'
import { openServices } from '../shared/services.ts'
import { failStart } from './fail-start.ts'
import { startHttpHalf } from './http-half.ts'
import { offerClaim } from './offer-claim.ts'
import { passOnUpgrades } from './pass-on-upgrades.ts'
import { describeAddresses } from './print-addresses.ts'
import { stopOnSignal } from './shutdown.ts'

/** The HTTP half as a process of its own. */
const start = async (): Promise<void> => {
  const environment = parseEnvironment(process.env, 'http')
  const log = createLog(environment.logLevel, 'gatehouse-http')
  const services = await openServices(environment, log)
  refuseUnsafeSettings(environment, services)
  const registry = createMetricsRegistry()
  const http = await startHttpHalf(environment, services, {
    metrics: createPrometheusMetrics(registry),
    upgrade: passOnUpgrades(environment.realtimeUrl ?? '', log),
  })
  const { metricsPort: port, metricsHost: host } = environment
  const metrics = port === undefined ? undefined : await startMetricsServer({ host, port, registry })
  stopOnSignal(
    [
      { name: 'readiness', run: http.beginShutdown },
      { name: 'delay', run: () => pause(environment.shutdownDelayMs) },
      { name: 'http', run: http.close },
      { name: 'metrics', run: () => metrics?.close() },
      { name: 'services', run: services.close },
    ],
    log,
  )
  const requirePassword = services.configs.get('server.yaml').auth.local.requirePassword
  process.stdout.write(describeAddresses({ ...environment, baseUrl: http.baseUrl }, requirePassword))
  await offerClaim(services.signIn, http.baseUrl, log)
}

start().catch(failStart)
