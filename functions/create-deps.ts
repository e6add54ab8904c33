import { systemClock } from '../shared/kernel/clock.ts'
import { createNodeDirectory } from '../shared/presence/node-directory.ts'
import { parseEnvironment, type RawEnvironment } from '../shared/services/environment.ts'
import { createServiceReadiness } from '../shared/services/service-readiness.ts'
import { openServices, type Services } from '../shared/services/services.ts'
import { openTracing } from '../shared/tracing/open-tracing.ts'
import type { HttpDeps } from './deps.ts'
import { type HttpMetrics, noHttpMetrics } from './http/metrics.ts'

/** What handlers need, made from the services of this process. */
export const createDeps = (services: Services, baseUrl: string, metrics: HttpMetrics): HttpDeps => ({
  ...services,
  baseUrl,
  metrics,
  readiness: createServiceReadiness(services),
  nodes: createNodeDirectory(services),
})

/** A function has just woken up, perhaps with a connection that is gone: the next one takes less, and an answer of 503 comes within 2 s. */
const redisWaitMs = 1200

/** What a Lambda needs, made from its environment once a process; nobody closes it but tests. */
export const createHttpDeps = async (raw: RawEnvironment): Promise<HttpDeps & Pick<Services, 'close'>> => {
  const environment = parseEnvironment(raw, 'http')
  const { log, tracing } = await openTracing({ environment, name: 'gatehouse-http', clock: systemClock })
  // A Lambda starts again after a start that failed, in the same process.
  const services = await openServices(environment, log, { redisWaitMs, tracing }).catch(async (error: unknown) => {
    await tracing.close()
    throw error
  })
  return {
    ...createDeps(services, environment.baseUrl, noHttpMetrics),
    // A Lambda does not listen, whatever its environment says.
    loopbackPages: false,
    close: async () => {
      await services.close()
      await tracing.close()
    },
  }
}
