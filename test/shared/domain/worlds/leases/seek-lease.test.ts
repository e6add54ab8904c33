import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { leaseRecords } from '../../../../../shared/domain/worlds/leases/lease-record.ts'
import { createLeaseSeeker, type LeaseSeeker } from '../../../../../shared/domain/worlds/leases/seek-lease.ts'
import type { WorldLease } from '../../../../../shared/domain/worlds/leases/world-lease.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../../shared/platform/storage/store.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'
import { createFixedClock, type FixedClock } from '../../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../../support/time/silent-log.ts'

const ttlMs = 14_000

describe('a seeker of the lease of a world', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let store: Store
  let clock: FixedClock
  let leases: WorldLease[]
  beforeEach(async () => {
    dir = await createTempDir()
    store = createMemoryStore()
    clock = createFixedClock()
    leases = []
  })
  afterEach(async () => {
    for (const lease of leases) await lease.release()
    await dir.remove()
  })

  const createSeeker = (machine: string): LeaseSeeker =>
    createLeaseSeeker({
      store,
      clock,
      ids: systemIds,
      log: silentLog,
      worldName: 'default',
      lockPath: join(dir.path, machine, 'default.lease'),
      holder: { name: `node of ${machine}`, machineId: machine, pid: 7 },
    })
  const take = async (seeker: LeaseSeeker): Promise<WorldLease> => {
    const outcome = await seeker.seek()
    if (!('lease' in outcome)) throw new Error(`held by ${outcome.holderName}`)
    leases.push(outcome.lease)
    return outcome.lease
  }
  /** A holder on another machine writes its record for the nth time. */
  const holdElsewhere = async (): Promise<void> => {
    const holder = { leaseId: systemIds.uuid(), name: 'node of c', machineId: 'c', pid: 7, ttlMs }
    await store.put(leaseRecords, 'default', { fence: 7, holder })
  }

  it('gets a free lease at once, with a fence above the last', async () => {
    const first = await take(createSeeker('a'))
    await first.release()
    expect((await take(createSeeker('b'))).fence).toBe(first.fence + 1)
  })

  it('reports a live holder on the same machine, and gets the lease right after its release', async () => {
    const holder = await take(createSeeker('a'))
    const seeker = createSeeker('a')
    expect(await seeker.seek()).toEqual({ holderName: 'node of a', isAlive: true })
    await holder.release()
    expect((await take(seeker)).isHeld()).toBe(true)
  })

  it('does not keep the lock of its machine while it waits', async () => {
    await holdElsewhere()
    await createSeeker('a').seek()
    await store.put(leaseRecords, 'default', { fence: 7 })
    expect((await take(createSeeker('a'))).fence).toBe(8)
  })

  it('does not report a holder on another machine as alive before its next renewal', async () => {
    await holdElsewhere()
    const seeker = createSeeker('a')
    expect(await seeker.seek()).toEqual({ holderName: 'node of c', isAlive: false })
    await holdElsewhere()
    expect(await seeker.seek()).toEqual({ holderName: 'node of c', isAlive: true })
  })

  it('gets the lease of a silent holder on another machine after its time to live, not before', async () => {
    await holdElsewhere()
    const seeker = createSeeker('a')
    await seeker.seek()
    clock.advance(10_000)
    await holdElsewhere()
    await seeker.seek()
    clock.advance(ttlMs - 1)
    expect(await seeker.seek()).toMatchObject({ holderName: 'node of c' })
    clock.advance(1)
    expect((await take(seeker)).fence).toBe(8)
  })

  it('does not take it after an outage of the store in which the holder could not renew either', async () => {
    await holdElsewhere()
    let isAway = false
    const { get } = store
    store = { ...store, get: (...args) => (isAway ? Promise.reject(new Error('away')) : get(...args)) }
    const seeker = createSeeker('a')
    await seeker.seek()
    clock.advance(4000)
    await seeker.seek()
    isAway = true
    for (let passed = 0; passed < 30_000; passed += 2000) {
      clock.advance(2000)
      await expect(seeker.seek()).rejects.toThrow('away')
    }
    isAway = false
    // The holder has now been silent for as long as before the outage.
    expect(await seeker.seek()).toMatchObject({ holderName: 'node of c' })
    clock.advance(ttlMs - 4000 - 1)
    expect(await seeker.seek()).toMatchObject({ holderName: 'node of c' })
    clock.advance(1)
    expect((await take(seeker)).fence).toBe(8)
  })

  it('gets the lease as one of two that look at the same moment', async () => {
    const outcomes = await Promise.all(['a', 'b'].map((machine) => createSeeker(machine).seek()))
    const taken = outcomes.flatMap((one) => ('lease' in one ? [one.lease] : []))
    leases.push(...taken)
    expect(taken).toHaveLength(1)
  })
})
