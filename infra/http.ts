import { setTimeout as pause } from 'node:timers/promises'
import { createPrometheusMetrics } from '../functions/http/prometheus-metrics.ts'
import { parseEnvironment } from '../shared/kernel/env.ts'
import { createLog } from '../shared/kernel/log.ts'
import { openServices } from '../shared/services.ts'
import { failStart } from './fail-start.ts'
import { startHttpHalf } from './http-half.ts'
import { offerClaim } from './offer-claim.ts'
import { openMetrics } from './open-metrics.ts'
import { passOnUpgrades } from './pass-on-upgrades.ts'
import { describeAddresses } from './print-addresses.ts'
import { stopOnSignal } from './shutdown.ts'

/** The HTTP half as a process of its own. */
const start = async (): Promise<void> => {
  const environment = parseEnvironment(process.env, 'http')
  const log = createLog(environment.logLevel, 'gatehouse-http')
  const services = await openServices(environment, log)
  const metrics = await openMetrics(environment)
  const http = await startHttpHalf(environment, services, {
    metrics: createPrometheusMetrics(metrics.registry),
    upgrade: passOnUpgrades(environment.realtimeUrl ?? '', services),
  })
  stopOnSignal(
    [
      { name: 'readiness', run: http.beginShutdown },
      { name: 'delay', run: () => pause(environment.shutdownDelayMs) },
      { name: 'http', run: http.close },
      { name: 'metrics', run: metrics.close },
      { name: 'services', run: services.close },
    ],
    log,
  )
  const { provider, local } = services.configs.get('server.yaml').auth
  process.stdout.write(
    describeAddresses({ ...environment, baseUrl: http.baseUrl }, provider !== 'local' || local.requirePassword),
  )
  await offerClaim(services.signIn, http.baseUrl, log)
}

start().catch(failStart)
