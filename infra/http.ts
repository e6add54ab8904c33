import { setTimeout as pause } from 'node:timers/promises'
import { createHttpMetrics } from '../functions/http/metrics.ts'
import { parseEnvironment } from '../shared/platform/process/environment.ts'
import { failStart } from '../shared/platform/process/fail-start.ts'
import { mayStart } from '../shared/platform/process/server-arguments.ts'
import { endOnSignalWhileStarting, stopOnSignal } from '../shared/platform/process/shutdown.ts'
import { openTelemetry } from '../shared/services/open-telemetry.ts'
import { printClaimLink } from '../shared/services/print-claim-link.ts'
import { openServices } from '../shared/services/services.ts'
import { describeAddresses, tellStart } from '../shared/services/tell-start.ts'
import { startHttpHalf } from './http/http-half.ts'
import { createUpgradeHandler } from './http/pass-on-upgrades.ts'

/** The HTTP half as a separate process. */
const start = async (): Promise<void> => {
  endOnSignalWhileStarting()
  const environment = parseEnvironment(process.env, 'http')
  const telemetry = await openTelemetry(environment, 'gatehouse-http')
  const { log, registry } = telemetry
  const services = await openServices(environment, log, telemetry.services)
  const http = await startHttpHalf(environment, services, {
    metrics: createHttpMetrics(registry),
    upgrade: await createUpgradeHandler(environment, services),
  })
  stopOnSignal(
    [
      { name: 'readiness', run: http.beginShutdown },
      { name: 'delay', run: () => pause(environment.shutdownDelayMs) },
      { name: 'http', run: http.close },
      { name: 'services', run: services.close },
      { name: 'telemetry', run: telemetry.close },
    ],
    log,
    environment.shutdownDelayMs,
  )
  await tellStart({ ...services, ...environment, baseUrl: http.baseUrl, write: (text) => process.stdout.write(text) })
  const { auth } = services.configs.get('server.yaml')
  process.stdout.write(describeAddresses({ ...environment, baseUrl: http.baseUrl }, auth))
  await printClaimLink(services.signIn, http.baseUrl, log)
}

export const main = mayStart('start:http', 'Starts the HTTP half of the server.') ? start().catch(failStart) : undefined
