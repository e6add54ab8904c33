import { findUnsafeSettings } from '../shared/configs/startup-checks.ts'
import { type Environment, parseEnvironment, type RawEnvironment } from '../shared/kernel/env.ts'
import { AppError } from '../shared/kernel/errors.ts'
import { createLog } from '../shared/kernel/log.ts'
import { playerStates } from '../shared/players/player-state.ts'
import { openServices, type Services } from '../shared/services.ts'
import type { HttpDeps } from './deps.ts'
import type { HttpMetrics } from './http/metrics.ts'
import { createReadiness } from './service/create-readiness.ts'

const probeTimeoutMs = 1500

/** Throws AppError `invalid` that names every unsafe setting and its fix. */
export const refuseUnsafeSettings = (environment: Environment, { configs }: Pick<Services, 'configs'>): void => {
  const unsafe = findUnsafeSettings({ environment, server: configs.get('server.yaml') })
  if (unsafe.length > 0) throw new AppError('invalid', 'invalid-config', ['The settings are not safe.', ...unsafe].join('\n  '))
}

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
  refuseUnsafeSettings(environment, services)
  return createDeps(services, environment.baseUrl, { observe: () => {} })
}
