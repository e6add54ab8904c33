import { failStart } from '../infra/fail-start.ts'
import { openMetrics } from '../infra/open-metrics.ts'
import { readTenure } from '../infra/read-tenure.ts'
import { stopOnSignal } from '../infra/shutdown.ts'
import { parseEnvironment } from '../shared/kernel/env.ts'
import { createLog } from '../shared/kernel/log.ts'
import { version } from '../shared/kernel/version.ts'
import { openServices } from '../shared/services.ts'
import { startNode } from './node.ts'
import { createPrometheusRealtimeMetrics } from './prometheus-metrics.ts'

/** The real-time half as a process of its own. */
const start = async (): Promise<void> => {
  const environment = parseEnvironment(process.env, 'realtime')
  const log = createLog(environment.logLevel, 'gatehouse-realtime')
  const services = await openServices(environment, log)
  const metrics = await openMetrics(environment)
  const node = await startNode(services, {
    tenure: await readTenure(environment),
    baseUrl: environment.baseUrl,
    serverVersion: version,
    metrics: createPrometheusRealtimeMetrics(metrics.registry),
  })
  const port = await node.listen(environment.port, environment.host)
  const stop = stopOnSignal(
    [
      { name: 'players', run: () => node.close() },
      { name: 'metrics', run: metrics.close },
      { name: 'services', run: services.close },
    ],
    log,
  )
  node.onWorldLost(() => stop('another node may run the world from now on'))
  process.stdout.write(`Gatehouse is ready at ${environment.baseUrl.replace(/:0$/, `:${port}`)} for players\n`)
}

start().catch(failStart)
