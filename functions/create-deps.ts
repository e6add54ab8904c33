import { parseEnvironment, type RawEnvironment } from '../shared/kernel/env.ts'
import { createLog } from '../shared/kernel/log.ts'
import { playerStates } from '../shared/players/player-state.ts'
import { openServices, type Services } from '../shared/services.ts'
import type { HttpDeps } from './deps.ts'
import type { HttpMetrics } from './http/metrics.ts'
import { createReadiness } from './service/create-readiness.ts'

const probeTimeoutMs = 1500

/** What handlers need, made from the services of this process. */
export const createDeps = (services: Services, baseUrl: string, metrics: HttpMetrics): HttpDeps => {
  const { accountStore, store, tokens, configs, permissions } = services
  return {
    ...services,
    baseUrl,
    metrics,
    readiness: createReadiness({
      probes: [
        { name: 'accounts', probe: async () => void (await accountStore.listAccounts({ limit: 1 })), timeoutMs: probeTimeoutMs },
        { name: 'store', probe: async () => void (await store.get(playerStates, 'probe')), timeoutMs: probeTimeoutMs },
        { name: 'tokens', probe: () => tokens.ping(), timeoutMs: probeTimeoutMs },
      ],
      warnings: () => [
        ...configs.warnings(),
        ...permissions
          .unknownGroups()
          .map((name) => `groups.yaml: group ${name} does not exist, but accounts or defaultGroups name it`),
      ],
    }),
  }
}

/** What a Lambda needs, made from its environment once a process. */
export const createHttpDeps = async (raw: RawEnvironment): Promise<HttpDeps> => {
  const environment = parseEnvironment(raw, 'http')
  const log = createLog(environment.logLevel, 'gatehouse-http')
  const services = await openServices(environment, log)
  return createDeps(services, environment.baseUrl, { observe: () => {} })
}
