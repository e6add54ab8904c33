import { setTimeout as pause } from 'node:timers/promises'
import { createHttpMetrics } from '../../functions/http/metrics.ts'
import { createRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import { metricLabels } from '../../realtime/node/metric-labels.ts'
import { startNode } from '../../realtime/node/node.ts'
import { findNodeAddresses } from '../../shared/domain/presence/node-directory.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { version } from '../../shared/kernel/version.ts'
import { parseEnvironment } from '../../shared/platform/process/environment.ts'
import { readTenure } from '../../shared/platform/process/lease-holder.ts'
import { endOnSignalWhileStarting, stopOnSignal } from '../../shared/platform/process/shutdown.ts'
import { openModuleSources } from '../../shared/services/module-sources.ts'
import { openTelemetry } from '../../shared/services/open-telemetry.ts'
import { printClaimLink } from '../../shared/services/print-claim-link.ts'
import { openServices } from '../../shared/services/services.ts'
import { describeAddresses, tellStart } from '../../shared/services/tell-start.ts'
import { startHttpHalf } from '../http/http-half.ts'

/** Starts both halves in one process, without any other service, until a signal. `changeLog` returns the log that they write to. */
export const startLocalServer = async ({ changeLog = (log: Log): Log => log } = {}) => {
  endOnSignalWhileStarting()
  const environment = parseEnvironment(process.env, 'all')
  const telemetry = await openTelemetry(environment, 'gatehouse')
  const { registry } = telemetry
  const log = changeLog(telemetry.log)
  const services = await openServices(environment, log, telemetry.services)
  const node = await startNode(services, {
    tenure: await readTenure(environment),
    standby: environment.worldStandby,
    drainLimitMs: environment.drainLimitMs,
    baseUrl: environment.baseUrl,
    serverVersion: version,
    moduleSources: openModuleSources(environment),
    metrics: createRealtimeMetrics(registry, metricLabels),
  })
  const http = await startHttpHalf(environment, services, {
    metrics: createHttpMetrics(registry),
    upgrade: node.handleUpgrade,
  })
  node.announce(findNodeAddresses(environment, http.port))
  const stop = stopOnSignal(
    [
      { name: 'readiness', run: http.beginShutdown },
      { name: 'players', run: () => node.close() },
      { name: 'delay', run: () => pause(environment.shutdownDelayMs) },
      { name: 'http', run: http.close },
      { name: 'services', run: services.close },
      { name: 'telemetry', run: telemetry.close },
    ],
    log,
    environment.drainLimitMs + environment.shutdownDelayMs,
  )
  node.onFault(stop)
  await tellStart({ ...services, ...environment, baseUrl: http.baseUrl, node, write: (text) => process.stdout.write(text) })
  const { auth } = services.configs.get('server.yaml')
  process.stdout.write(describeAddresses({ ...environment, baseUrl: http.baseUrl }, auth))
  await printClaimLink(services.signIn, http.baseUrl, log)
  return { environment, node, services }
}
