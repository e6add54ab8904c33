import { createApiTokens } from '../../../shared/domain/api-tokens/api-tokens.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { type FollowSanctionsDeps, followSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import { createReportService } from '../../../shared/domain/sanctions/reports/report-service.ts'
import { createSanctionService, type SanctionServiceDeps } from '../../../shared/domain/sanctions/sanction-service.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { silentLog } from '../time/silent-log.ts'

/** The API tokens in a store, without sign-ins: no connection was opened with them. */
export const openApiTokens = ({ store, clock }: Pick<SanctionServiceDeps, 'store' | 'clock'>) =>
  createApiTokens({
    store,
    clock,
    ids: systemIds,
    log: silentLog,
    audit: createStoreAuditLog(store),
    events: createMemoryEventBus({ log: silentLog }),
    emailOf: async () => undefined,
    tokens: { revokeSignIn: async () => undefined },
  })

/** Sanctions of one process, which follows others once `start` is called. */
export const createSanctions = (deps: Omit<SanctionServiceDeps, 'inForce' | 'apiTokens'> & FollowSanctionsDeps) => {
  const activeSanctions = followSanctions(deps)
  return {
    activeSanctions,
    sanctions: createSanctionService({ ...deps, apiTokens: openApiTokens(deps), inForce: activeSanctions }),
    reports: createReportService(deps),
  }
}

/** Never has active sanctions. */
export const noSanctions = followSanctions({
  store: createMemoryStore(),
  events: createMemoryEventBus({ log: silentLog }),
  clock: systemClock,
  log: silentLog,
})
