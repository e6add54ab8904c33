import type { Clock } from '../../kernel/clock.ts'
import { listByTime } from '../../platform/storage/list-by-time.ts'
import type { Store } from '../../platform/storage/store.ts'
import { accountPrefix, allPrefix, inForcePrefix } from './record-ids.ts'
import { isInForce, type Sanction, sanctionRecords } from './sanction.ts'
import type { SanctionQuery, SanctionService } from './sanction-service.ts'

const matches = (sanction: Sanction, { email, kind, active }: SanctionQuery, nowMs: number): boolean =>
  (email === undefined || sanction.email === email) &&
  (kind === undefined || sanction.kind === kind) &&
  (active === undefined || isInForce(sanction, nowMs) === active)

const prefixFor = ({ email, active }: SanctionQuery): string => {
  if (email !== undefined) return accountPrefix(email)
  return active === true ? inForcePrefix : allPrefix
}

export const createSanctionListing =
  ({
    store,
    clock,
  }: {
    readonly store: Pick<Store, 'list'>
    readonly clock: Pick<Clock, 'now'>
  }): SanctionService['listSanctions'] =>
  async (query) => {
    const { limit, cursor } = query
    const timedQuery = { prefix: prefixFor(query), limit, cursor, matches: (one: Sanction) => matches(one, query, clock.now()) }
    const { found: sanctions, ...more } = await listByTime(store, sanctionRecords, timedQuery)
    return { sanctions, ...more }
  }
