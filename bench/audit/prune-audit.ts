import { createAuditEntry } from '../../shared/domain/audit/audit-entry.ts'
import { pruneAudit } from '../../shared/domain/audit/retention/prune-audit.ts'
import { createStoreAuditLog } from '../../shared/domain/audit/store-audit-log.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createTurns } from '../../shared/kernel/turns.ts'
import { createLmdbStore } from '../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createTempDir } from '../../test/support/processes/temp-dir.ts'
import { createFixedClock } from '../../test/support/time/fixed-clock.ts'
import { type Bench, round } from '../result.ts'
import { watchCpuHolds } from './cpu-holds.ts'

const entries = 20_000
const longEvery = 20
const appendedAtOnce = 500
const columns = 1024
const boundMs = 20

/**
 * Benchmarks how long counting and deleting old entries hold the event loop at a stretch: 20,000 entries, one in twenty of a
 * large zone. It cannot show DynamoDB, where the log is pruned in pages.
 */
export const auditPruning: Bench = {
  name: 'audit-pruning',
  run: async () => {
    const dir = await createTempDir()
    const store = createLmdbStore({ path: dir.path, ids: systemIds })
    const clock = createFixedClock()
    const audit = createStoreAuditLog(store)
    const chunks = Array.from({ length: columns }, (_, cx) => ({ cx, cz: 0 }))
    const entryOf = (index: number) => {
      clock.advance(1)
      const side = index % longEvery === 0 ? { name: 'Large', chunks } : { displayName: `User ${index}`, groups: ['player'] }
      const change = { action: 'account.update', target: `user${index}@example.com`, before: side, after: side }
      return createAuditEntry(
        { clock, ids: systemIds },
        { email: 'admin@example.com', via: 'http', requestId: `r${index}` },
        change,
      )
    }
    try {
      for (let index = 0; index < entries; index += appendedAtOnce)
        await audit.append(Array.from({ length: appendedAtOnce }, (_, at) => entryOf(index + at)))
      clock.advance(2 * 86_400_000)
      const pass = (days: number) =>
        watchCpuHolds(() =>
          pruneAudit({ store, clock, turns: createTurns(), limits: () => ({ days, maxMiB: 1024 }), isOver: () => false }),
        )
      const passes = [
        { what: 'counting', ...(await pass(365)) },
        { what: 'deleting', ...(await pass(1)) },
      ]
      return passes.map(({ what, result, tookMs, longestMs }) => ({
        bench: 'audit-pruning',
        figure: `${what} ${entries} entries (${result} gone in ${round(tookMs, 0)} ms): the longest that the loop computes at a stretch`,
        value: round(longestMs, 1),
        unit: 'ms of CPU',
        target: `under ${boundMs}`,
        met: longestMs < boundMs,
      }))
    } finally {
      await store.close()
      await dir.remove()
    }
  },
}
