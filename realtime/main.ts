import { findNodeAddresses } from '../shared/domain/presence/node-directory.ts'
import { version } from '../shared/kernel/version.ts'
import { startAgones } from '../shared/platform/process/agones.ts'
import { parseEnvironment } from '../shared/platform/process/environment.ts'
import { failStart } from '../shared/platform/process/fail-start.ts'
import { readTenure } from '../shared/platform/process/lease-holder.ts'
import { addTaskAddress } from '../shared/platform/process/read-task-address.ts'
import { mayStart } from '../shared/platform/process/server-arguments.ts'
import { endOnSignalWhileStarting, stopOnSignal } from '../shared/platform/process/shutdown.ts'
import { openModuleSources } from '../shared/services/module-sources.ts'
import { openTelemetry } from '../shared/services/open-telemetry.ts'
import { openServices } from '../shared/services/services.ts'
import { tellStart } from '../shared/services/tell-start.ts'
import { createRealtimeMetrics, withObserver } from './metrics/realtime-metrics.ts'
import { createLoadLog } from './node/load-log.ts'
import { metricLabels } from './node/metric-labels.ts'
import { startNode } from './node/node.ts'

/** Starts the real-time half as a separate process. */
const start = async (): Promise<void> => {
  endOnSignalWhileStarting()
  const environment = parseEnvironment(await addTaskAddress(process.env), 'realtime')
  const telemetry = await openTelemetry(environment, 'gatehouse-realtime')
  const { log, registry } = telemetry
  const services = await openServices(environment, log, telemetry.services)
  const measured = createRealtimeMetrics(registry, metricLabels)
  const { loadLogSeconds: everySeconds } = environment
  const settings = () => services.configs.get('server.yaml').realtime
  const node = await startNode(services, {
    tenure: await readTenure(environment),
    standby: environment.worldStandby,
    drainLimitMs: environment.drainLimitMs,
    baseUrl: environment.baseUrl,
    serverVersion: version,
    moduleSources: openModuleSources(environment),
    metrics:
      everySeconds === undefined ? measured : withObserver(measured, createLoadLog({ ...services, everySeconds, settings })),
  })
  const port = await node.listen(environment.port, environment.host)
  node.announce(findNodeAddresses(environment, port))
  const countSessions = () => node.live()?.listPlayers().length ?? 0
  const agones = environment.agonesPort && startAgones({ ...services, port: environment.agonesPort, countSessions, log })
  const stop = stopOnSignal(
    [
      { name: 'players', run: () => node.close() },
      ...(agones ? [{ name: 'agones', run: agones.close }] : []),
      { name: 'services', run: services.close },
      { name: 'telemetry', run: telemetry.close },
    ],
    log,
    environment.drainLimitMs,
  )
  node.onFault(stop)
  const baseUrl = environment.baseUrl.replace(/:0$/, `:${port}`)
  await tellStart({ ...services, ...environment, baseUrl, node, write: (text) => process.stdout.write(text) })
  process.stdout.write(`Gatehouse is ready at ${baseUrl} for players\n`)
}

export const main = mayStart('start:realtime', 'Starts the real-time half of the server.') ? start().catch(failStart) : undefined
