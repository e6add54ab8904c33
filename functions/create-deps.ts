import { parseEnvironment, type RawEnvironment } from '../shared/kernel/env.ts'
import { createLog } from '../shared/kernel/log.ts'
import { createServiceReadiness } from '../shared/readiness/service-readiness.ts'
import { openServices, type Services } from '../shared/services.ts'
import type { HttpDeps } from './deps.ts'
import type { HttpMetrics } from './http/metrics.ts'

/** What handlers need, made from the services of this process. */
export const createDeps = (services: Services, baseUrl: string, metrics: HttpMetrics): HttpDeps => ({
  ...services,
  baseUrl,
  metrics,
  readiness: createServiceReadiness(services),
})

/** A function has just woken up, perhaps with a connection that is gone: the next one takes less, and an answer of 503 comes within 2 s. */
const redisWaitMs = 1200

/** What a Lambda needs, made from its environment once a process; nobody closes it but tests. */
export const createHttpDeps = async (raw: RawEnvironment): Promise<HttpDeps & Pick<Services, 'close'>> => {
  const environment = parseEnvironment(raw, 'http')
  const log = createLog(environment.logLevel, 'gatehouse-http')
  const services = await openServices(environment, log, { redisWaitMs })
  return { ...createDeps(services, environment.baseUrl, { observe: () => {} }), close: services.close }
}
