import { expect, it } from '@jest/globals'
import { keepLease } from '../../../../../shared/domain/worlds/leases/keep-lease.ts'
import { leaseRecords } from '../../../../../shared/domain/worlds/leases/lease-record.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../../shared/platform/storage/store.ts'
import { createFixedClock } from '../../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../../support/time/silent-log.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

it('a lease released during its renewal is free for all machines at once', async () => {
  const clock = createFixedClock()
  const inner = createMemoryStore()
  let isRenewing = false
  let arrive = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const store: Store = {
    ...inner,
    put: async (collection, id, value, options) => {
      const isFirst = !isRenewing
      isRenewing = true
      const version = await inner.put(collection, id, value, options)
      // The renewal is written, and its answer is late.
      if (isFirst) await arrival
      return version
    },
  }
  const holder = { leaseId: systemIds.uuid(), name: 'node of a', machineId: 'a', pid: 7, ttlMs: 14_000 }
  const record = { fence: 3, holder }
  const version = await inner.put(leaseRecords, 'default', record)
  let freed = 0
  const freeLock = () => {
    freed += 1
  }
  const times = { ttlMs: 14_000, renewMs: 5000, beatMs: 1 }
  const lease = keepLease(
    { store, clock, log: silentLog, worldName: 'default', ...times, freeLock },
    { record, version, takenMs: clock.monotonic() },
  )
  clock.advance(5000)
  await waitFor(() => isRenewing)
  const released = Promise.all([lease.release(), lease.release()])
  arrive()
  await released
  expect((await inner.get(leaseRecords, 'default'))?.value).toEqual({ fence: 3 })
  expect({ freed, isHeld: lease.isHeld(), isLost: lease.isLost() }).toEqual({ freed: 1, isHeld: false, isLost: false })
})
