import { describe, expect, it } from '@jest/globals'
import { createDeletedAccounts } from '../../../shared/domain/accounts/deleted-accounts.ts'
import { createAuditEntry } from '../../../shared/domain/audit/audit-entry.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { createZoneSnapshots } from '../../../shared/domain/zones/snapshots/create-zone-snapshots.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createTurns } from '../../../shared/kernel/turns.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { createRetention } from '../../../shared/services/retention.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const dayMs = 86_400_000

const open = (on: (store: Store) => Store = (store) => store) => {
  const clock = createFixedClock()
  const store = createMemoryStore()
  const deletedAccounts = createDeletedAccounts({ store, clock })
  const limits = { days: 30, maxMiB: 1 }
  const audit = createStoreAuditLog(store)
  const keepAccount = async (name: string) => {
    const playerId = systemIds.uuid()
    const createdAt = new Date(clock.now()).toISOString()
    await deletedAccounts.keep({ playerId, email: `${name}@example.com`, displayName: name, groups: [], createdAt })
    return playerId
  }
  const writeEntry = () =>
    audit.append([
      createAuditEntry(
        { clock, ids: systemIds },
        { email: 'a@example.com', via: 'cli', requestId: 'r' },
        { action: 'account.update', target: 'b@example.com', before: 1, after: 2 },
      ),
    ])
  const { log, lines } = createCapturedLog()
  const retention = createRetention({
    snapshots: createZoneSnapshots({ store, clock, ids: systemIds, keptDays: () => limits.days }),
    store: on(store),
    deletedAccounts,
    clock,
    turns: createTurns(),
    log,
    configs: { get: () => ({ audit: limits }) as never },
  })
  return { clock, store, deletedAccounts, audit, limits, keepAccount, writeEntry, retention, lines }
}
const never = () => false

describe('the retention of old data', () => {
  it('removes audit entries by the current settings, and any number of deleted accounts', async () => {
    const { clock, store, audit, limits, keepAccount, writeEntry, retention } = open()
    const old = await Promise.all(Array.from({ length: 130 }, (_, index) => keepAccount(`old${index}`)))
    await writeEntry()
    clock.advance(20 * dayMs)
    const young = await keepAccount('young')
    await retention.pass(never)
    expect((await audit.listEntries({ limit: 10 })).entries).toHaveLength(1)
    clock.advance(10 * dayMs + 1)
    await retention.pass(never)
    expect((await audit.listEntries({ limit: 10 })).entries).toEqual([])
    const retained = (await store.list({ name: 'deleted-accounts', parse: (value) => value }, { limit: 1000 })).records
    expect(retained.map(({ id }) => id)).toEqual([young])
    expect(old).not.toContain(young)
    await writeEntry()
    clock.advance(2 * dayMs)
    limits.days = 1
    await retention.pass(never)
    expect((await audit.listEntries({ limit: 10 })).entries).toEqual([])
  })

  it('is delayed while the store is unavailable, with a log entry', async () => {
    const away = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'The store is away.'))
    const { retention, lines } = open((store) => ({ ...store, get: away }))
    await retention.pass(never)
    expect(lines).toEqual([expect.objectContaining({ msg: expect.stringContaining('cannot be deleted') })])
    await retention.pass(() => true)
    expect(lines).toHaveLength(1)
  })

  it('repeats until it is stopped', async () => {
    const { clock, audit, writeEntry, retention } = open()
    const isEmpty = async () => (await audit.listEntries({ limit: 1 })).entries.length === 0
    const end = retention.keepUp(1)
    for (const _ of [1, 2]) {
      await writeEntry()
      clock.advance(31 * dayMs)
      await waitFor(isEmpty)
    }
    end()
    expect(await isEmpty()).toBe(true)
  })
})
