import { expect, it } from '@jest/globals'
import { keepLease } from '../../../../shared/domain/worlds/leases/keep-lease.ts'
import { leaseRecords } from '../../../../shared/domain/worlds/leases/lease-record.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../shared/platform/storage/store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

const holder = { leaseId: systemIds.uuid(), name: 'node of a', machineId: 'a', pid: 7, ttlMs: 14_000 }

/** A lease whose last renewal was written, but whose answer was lost. */
const keepUnsure = async () => {
  const clock = createFixedClock()
  const inner = createMemoryStore()
  let renewals = 0
  const store: Store = {
    ...inner,
    put: async (collection, id, value, options) => {
      const version = await inner.put(collection, id, value, options)
      renewals += 1
      if (renewals === 1) throw new AppError('unavailable', 'service-unavailable', 'The answer was lost.')
      return version
    },
  }
  const record = { fence: 3, holder }
  const version = await inner.put(leaseRecords, 'default', record)
  const times = { ttlMs: 14_000, renewMs: 5000, beatMs: 1 }
  const lease = keepLease(
    { store, clock, log: silentLog, worldName: 'default', ...times, freeLock: () => {} },
    { record, version, takenMs: clock.monotonic() },
  )
  clock.advance(5000)
  await waitFor(() => renewals === 1)
  return { lease, store: inner }
}

it('a lease is free for all machines when released after a renewal with a lost answer', async () => {
  const { lease, store } = await keepUnsure()
  await lease.release()
  expect((await store.get(leaseRecords, 'default'))?.value).toEqual({ fence: 3 })
})

it('releasing a lease keeps a holder that took it after such a renewal', async () => {
  const { lease, store } = await keepUnsure()
  const theirs = { fence: 4, holder: { ...holder, leaseId: systemIds.uuid(), machineId: 'b' } }
  await store.put(leaseRecords, 'default', theirs)
  await lease.release()
  expect((await store.get(leaseRecords, 'default'))?.value).toEqual(theirs)
})
