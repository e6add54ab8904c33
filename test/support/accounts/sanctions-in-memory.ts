import { createSanctionService, type SanctionServiceDeps } from '../../../shared/domain/sanctions/create-sanction-service.ts'
import type { FollowSanctionsDeps } from '../../../shared/domain/sanctions/in-force/follow-sanctions.ts'
import { followSanctions } from '../../../shared/domain/sanctions/in-force/follow-sanctions.ts'
import { createReportService } from '../../../shared/domain/sanctions/reports/create-report-service.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { silentLog } from '../time/silent-log.ts'

/** Sanctions of one process, which follows others once `start` is called. */
export const createSanctions = (deps: Omit<SanctionServiceDeps, 'inForce'> & FollowSanctionsDeps) => {
  const sanctionsInForce = followSanctions(deps)
  return {
    sanctionsInForce,
    sanctions: createSanctionService({ ...deps, inForce: sanctionsInForce }),
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
