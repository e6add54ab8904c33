import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type AcquireLeaseOptions, acquireLease } from '../../../../../shared/domain/worlds/leases/acquire-lease.ts'
import { leaseRecords } from '../../../../../shared/domain/worlds/leases/lease-record.ts'
import type { WorldLease } from '../../../../../shared/domain/worlds/leases/world-lease.ts'
import { AppError } from '../../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../../shared/platform/storage/store.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'
import { createFixedClock, type FixedClock } from '../../../../support/time/fixed-clock.ts'
import { createCapturedLog } from '../../../../support/time/silent-log.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

const ttlMs = 14_000
const renewMs = 5000
const unreachable = new AppError('unavailable', 'service-unavailable', 'The record store does not answer.')
const held = (by: string) => ({ kind: 'conflict', slug: 'world-held', publicDetail: expect.stringContaining(by) })

describe('the lease of a world', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let store: Store
  let clock: FixedClock
  let captured: ReturnType<typeof createCapturedLog>
  let leases: WorldLease[]

  /** Each machine has its own clock, lock folder and id. */
  const acquire = async (machine: string, overrides: Partial<AcquireLeaseOptions> = {}): Promise<WorldLease> => {
    const lease = await acquireLease({
      store,
      clock,
      ids: systemIds,
      log: captured.log,
      worldName: 'default',
      beatMs: 1,
      lockPath: join(dir.path, machine, 'default.lease'),
      holder: { name: `node of ${machine}`, machineId: machine, pid: 7 },
      ...overrides,
    })
    leases.push(lease)
    return lease
  }
  const stored = async () => store.get(leaseRecords, 'default')
  const hasLogged = (text: string) => captured.lines.some(({ msg }) => String(msg).includes(text))
  /** Resolves when a second machine has begun to watch the holder. The test awaits the outcome. */
  const watch = async (machine: string): Promise<{ readonly outcome: Promise<WorldLease> }> => {
    const outcome = acquire(machine)
    outcome.catch(() => undefined)
    await waitFor(() => hasLogged('checking whether it is alive'))
    return { outcome }
  }

  /** Another machine has overwritten the lease, and a renewal by the holder is due. */
  const steal = async () => {
    const thief = { leaseId: systemIds.uuid(), name: 'node of b', machineId: 'b', pid: 7, ttlMs }
    await store.put(leaseRecords, 'default', { fence: 2, holder: thief })
    clock.advance(renewMs)
    return thief
  }

  beforeEach(async () => {
    dir = await createTempDir()
    store = createMemoryStore()
    clock = createFixedClock()
    captured = createCapturedLog()
    leases = []
  })
  afterEach(async () => {
    for (const lease of leases) await lease.release()
    await dir.remove()
  })

  it('is held once taken, and raises the fence with each holder, released or not', async () => {
    const first = await acquire('a')
    expect([first.fence, first.isHeld()]).toEqual([1, true])
    await first.release()
    expect(first.isHeld()).toBe(false)
    expect((await acquire('b')).fence).toBe(2)
  })

  it('is refused on the same machine while it is held, with the name of the holder', async () => {
    await acquire('a')
    await expect(acquire('a')).rejects.toMatchObject(held('node of a'))
  })

  it('is refused without a name when the holder has not written one yet', async () => {
    const first = await acquire('a')
    await store.delete(leaseRecords, 'default')
    await expect(acquire('a')).rejects.toMatchObject(held('another process on this machine'))
    expect(first.isHeld()).toBe(true)
  })

  it('is taken at once after a dead holder on the same machine', async () => {
    const dead = { leaseId: systemIds.uuid(), name: 'node of a', machineId: 'a', pid: 7, ttlMs }
    await store.put(leaseRecords, 'default', { fence: 41, holder: dead })
    expect((await acquire('a')).fence).toBe(42)
  })

  it('is free for a second attempt after a failed one', async () => {
    const failing = { ...store, get: () => Promise.reject(unreachable) }
    await expect(acquire('a', { store: failing })).rejects.toBe(unreachable)
    expect((await acquire('a')).isHeld()).toBe(true)
  })

  it('is independent for each world', async () => {
    await acquire('a')
    const other = { worldName: 'other', lockPath: join(dir.path, 'a', 'other.lease') }
    expect((await acquire('a', other)).fence).toBe(1)
  })

  describe('held by another machine', () => {
    it('is refused as soon as the holder renews it', async () => {
      const first = await acquire('a')
      const second = await watch('b')
      clock.advance(renewMs)
      await expect(second.outcome).rejects.toMatchObject(held('node of a'))
      expect(first.isHeld()).toBe(true)
    })

    it('is taken after its time to live without a renewal, and not before', async () => {
      const dead = { leaseId: systemIds.uuid(), name: 'node of a', machineId: 'a', pid: 7, ttlMs }
      await store.put(leaseRecords, 'default', { fence: 3, holder: dead })
      let reads = 0
      const counting: Store = {
        ...store,
        get: (...args) => {
          reads += 1
          return store.get(...args)
        },
      }
      let taken = false
      const second = acquire('b', { store: counting }).finally(() => {
        taken = true
      })
      await waitFor(() => reads > 1)
      clock.advance(ttlMs - 1)
      const readsBefore = reads
      await waitFor(() => reads > readsBefore + 5)
      expect(taken).toBe(false)
      clock.advance(1)
      expect((await second).fence).toBe(4)
    })

    it('is taken at once after a release', async () => {
      const first = await acquire('a')
      const second = await watch('b')
      await first.release()
      expect((await second.outcome).fence).toBe(2)
    })

    it('is taken by one of many that wait for it', async () => {
      const dead = { leaseId: systemIds.uuid(), name: 'node of a', machineId: 'a', pid: 7, ttlMs }
      await store.put(leaseRecords, 'default', { fence: 1, holder: dead })
      const machines = ['b', 'c', 'd']
      const outcomes = Promise.allSettled(machines.map((machine) => acquire(machine)))
      const waiting = () => captured.lines.filter(({ msg }) => String(msg).includes('checking whether')).length
      await waitFor(() => waiting() === machines.length)
      clock.advance(ttlMs)
      const settled = await outcomes
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const outcome of settled) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(held('node of'))
    })
  })

  describe('while it is held', () => {
    it('is renewed every five seconds, beyond its time to live', async () => {
      const lease = await acquire('a')
      for (let turn = 0; turn < 6; turn += 1) {
        const before = (await stored())?.version
        clock.advance(renewMs)
        await waitFor(async () => (await stored())?.version !== before)
      }
      expect(lease.isHeld()).toBe(true)
    })

    it('is lost, with one notification, when another holder overwrites it', async () => {
      const lease = await acquire('a')
      let losses = 0
      lease.onLost(() => {
        losses += 1
      })
      const thief = await steal()
      await waitFor(() => losses > 0)
      expect(lease.isHeld()).toBe(false)
      let late = 0
      lease.onLost(() => {
        late += 1
      })
      await waitFor(() => late === 1)
      await lease.release()
      expect([losses, (await stored())?.value]).toEqual([1, { fence: 2, holder: thief }])
    })

    it('survives a short outage of the store, and keeps renewing', async () => {
      let away = false
      const flaky: Store = { ...store, put: (...args) => (away ? Promise.reject(unreachable) : store.put(...args)) }
      const lease = await acquire('a', { store: flaky })
      away = true
      clock.advance(renewMs)
      await waitFor(() => hasLogged('cannot be renewed'))
      away = false
      const before = (await stored())?.version
      clock.advance(renewMs / 5)
      await waitFor(async () => (await stored())?.version !== before)
      clock.advance(renewMs)
      expect(lease.isHeld()).toBe(true)
    })

    it('is in doubt before others can take it in an outage, and held again after a renewal', async () => {
      let away = false
      const flaky: Store = { ...store, put: (...args) => (away ? Promise.reject(unreachable) : store.put(...args)) }
      const lease = await acquire('a', { store: flaky })
      let losses = 0
      lease.onLost(() => {
        losses += 1
      })
      away = true
      clock.advance(ttlMs * 0.8 - 1)
      expect(lease.isHeld()).toBe(true)
      clock.advance(1)
      expect(lease.isHeld()).toBe(false)
      clock.advance(10 * ttlMs)
      await waitFor(() => hasLogged('writes are paused until it is'))
      expect([lease.isHeld(), lease.isLost()]).toEqual([false, false])
      away = false
      clock.advance(renewMs)
      await waitFor(lease.isHeld)
      expect([losses, lease.isLost(), (await stored())?.value.fence]).toEqual([0, false, 1])
      await waitFor(() => hasLogged('no other node had taken it'))
    })

    it('is lost when a renewal after a long outage finds another holder', async () => {
      let away = false
      const flaky: Store = { ...store, put: (...args) => (away ? Promise.reject(unreachable) : store.put(...args)) }
      const lease = await acquire('a', { store: flaky })
      away = true
      const second = await watch('b')
      clock.advance(ttlMs)
      expect((await second.outcome).fence).toBe(2)
      expect([lease.isHeld(), lease.isLost()]).toEqual([false, false])
      away = false
      clock.advance(renewMs)
      await waitFor(lease.isLost)
      expect(lease.isHeld()).toBe(false)
    })

    it('stays in doubt after a renewal that began too long ago, until the next one', async () => {
      const gate = new EventEmitter()
      let waits = false
      let waiting = false
      const slow: Store = {
        ...store,
        put: async (...args) => {
          waiting = waits
          if (waits) await once(gate, 'open')
          return store.put(...args)
        },
      }
      const lease = await acquire('a', { store: slow })
      let losses = 0
      lease.onLost(() => {
        losses += 1
      })
      waits = true
      clock.advance(renewMs)
      await waitFor(() => waiting)
      waits = false
      clock.advance(ttlMs)
      expect(lease.isHeld()).toBe(false)
      const before = (await stored())?.version
      gate.emit('open')
      await waitFor(async () => (await stored())?.version !== before)
      await waitFor(lease.isHeld)
      expect(losses).toBe(0)
    })

    it('is not lost when only the answer to a renewal is lost', async () => {
      let drops = false
      let puts = 0
      const lossy: Store = {
        ...store,
        put: async (...args) => {
          puts += 1
          const version = await store.put(...args)
          if (!drops) return version
          drops = false
          throw unreachable
        },
      }
      const lease = await acquire('a', { store: lossy })
      drops = true
      clock.advance(renewMs)
      await waitFor(() => hasLogged('cannot be renewed'))
      const before = (await stored())?.version
      // The next renewal reads its own record, and the one after that renews it.
      await waitFor(async () => {
        clock.advance(puts < 4 ? renewMs / 5 : 0)
        return (await stored())?.version !== before
      })
      clock.advance(renewMs)
      expect(lease.isHeld()).toBe(true)
      await lease.release()
      expect((await stored())?.value).toEqual({ fence: 1 })
    })

    it('keeps the lock of its machine after a loss, until it is released', async () => {
      const lease = await acquire('a')
      await steal()
      await waitFor(lease.isLost)
      expect(lease.isHeld()).toBe(false)
      await expect(acquire('a')).rejects.toMatchObject(held('node of b'))
      await store.put(leaseRecords, 'default', { fence: 2 })
      await expect(acquire('a')).rejects.toMatchObject(held('another process on this machine'))
      await lease.release()
      expect((await acquire('a')).fence).toBe(3)
    })

    it('releases the lock even if the store does not answer its release', async () => {
      let away = false
      const flaky: Store = { ...store, put: (...args) => (away ? Promise.reject(unreachable) : store.put(...args)) }
      const lease = await acquire('a', { store: flaky })
      away = true
      await Promise.all([lease.release(), lease.release()])
      expect((await acquire('a')).fence).toBe(2)
    })

    it('notifies every listener of a loss, even if one of them throws', async () => {
      const lease = await acquire('a')
      let isNotified = false
      lease.onLost(() => {
        throw new Error('mine')
      })
      lease.onLost(() => {
        isNotified = true
      })
      await steal()
      await waitFor(() => isNotified)
      await waitFor(() => hasLogged('for the loss of a lease failed'))
    })
  })
})
