import { beforeEach, describe, expect, it } from '@jest/globals'
import { gameZoneOf } from '../../../realtime/zones/game-zone.ts'
import { createZoneResets } from '../../../realtime/zones/reset-zones.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { createJobService, operatorActor } from '../../../shared/domain/jobs/job-service.ts'
import { createZoneSnapshots } from '../../../shared/domain/zones/snapshots/zone-snapshots.ts'
import type { ZoneReset } from '../../../shared/domain/zones/zone.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { createZone } from '../../support/zones/stored-zones.ts'

const hour = 3_600_000
const minute = 60_000
const snapshot = '3f8f6a52-7c1d-4a57-9a0e-5d6f0c1b2a39'
const inside = { position: { x: 5, y: 65, z: 5, yaw: 0, pitch: 0 } }
const above = { position: { ...inside.position, y: 90 } }

const openResets = () => {
  const [store, clock, ids] = [createMemoryStore(), createFixedClock(), systemIds]
  const jobs = createJobService({ store, events: createMemoryEventBus({ log: silentLog }), clock, ids })
  const snapshots = createZoneSnapshots({ store, clock, ids, keptDays: () => 1 })
  const world = { id: ids.uuid(), name: 'default' }
  const zone = createZone({ reset: { snapshot, every: '1h' } })
  let zones = [gameZoneOf(zone)]
  let players: readonly (typeof inside)[] = []
  const open = () =>
    createZoneResets({
      gameZones: { list: () => zones },
      players: () => players,
      world,
      snapshots,
      jobs,
      store,
      clock,
      ids,
      log: silentLog,
    })
  let resets = open()
  const list = async () => (await jobs.listJobs({ limit: 50 })).jobs
  return {
    jobs,
    store,
    clock,
    list,
    zone,
    restart: () => {
      resets = open()
    },
    setReset: (reset: ZoneReset | undefined) => {
      const { reset: _, ...rest } = zone
      zones = [gameZoneOf(reset === undefined ? rest : { ...rest, reset })]
    },
    stand: (...those: readonly (typeof inside)[]) => {
      players = those
    },
    /** Checks the schedule after the given time; returns the number of jobs. */
    after: async (ms: number): Promise<number> => {
      clock.advance(ms)
      await resets.sweep()
      return (await list()).length
    },
    finish: async () => {
      for (const job of await list()) await jobs.cancel(operatorActor('test'), job.id)
    },
  }
}

describe('the reset of a zone', () => {
  let stage: ReturnType<typeof openResets>
  beforeEach(() => {
    stage = openResets()
  })

  it('starts once when the process ends before it has noted that, or cannot note it', async () => {
    await stage.after(0)
    await stage.after(hour)
    const { put } = stage.store
    const away = async () => {
      throw new AppError('unavailable', 'service-unavailable', 'The record store does not answer.')
    }
    Object.assign(stage.store, { put: away })
    expect(await stage.after(30_000)).toBe(1)
    Object.assign(stage.store, { put })
    expect(await stage.after(1_000)).toBe(1)
    stage.restart()
    expect(await stage.after(1_000)).toBe(1)
    expect(await stage.after(30_000)).toBe(1)
    await stage.finish()
    expect(await stage.after(1_000)).toBe(1)
    expect(await stage.after(hour)).toBe(1)
    expect(await stage.after(30_000)).toBe(2)
  })

  it('is a job of the system, audited, once the zone was empty for half a minute', async () => {
    expect(await stage.after(0)).toBe(0)
    expect(await stage.after(hour - 1)).toBe(0)
    stage.stand(above)
    expect(await stage.after(1)).toBe(0)
    stage.stand(inside)
    expect(await stage.after(20_000)).toBe(0)
    stage.stand()
    expect(await stage.after(29_999)).toBe(0)
    expect(await stage.after(1)).toBe(1)
    expect(await stage.list()).toMatchObject([{ kind: 'restore', state: 'queued', by: 'system' }])
    const { entries } = await createStoreAuditLog(stage.store).listEntries({ limit: 5, target: stage.zone.id })
    expect(entries).toMatchObject([{ actor: 'system', action: 'zone.restore', after: { snapshot } }])
  })

  it('runs once a day by the clock of a time zone, also in weeks with a clock change', async () => {
    stage.setReset({ snapshot, every: 'day at 02:30 Europe/Berlin' })
    stage.clock.advance(Date.parse('2027-03-27T00:00:00Z') - stage.clock.now())
    const started: string[] = []
    const runUntil = async (end: string) => {
      while (stage.clock.now() < Date.parse(end)) {
        const before = (await stage.list()).length
        if ((await stage.after(15 * minute)) > before) started.push(new Date(stage.clock.now()).toISOString())
        await stage.finish()
      }
    }
    await stage.after(0)
    await runUntil('2027-03-30T00:00:00Z')
    // It checks every 15 minutes: the zone was empty at the check after the one at which it was due.
    expect(started).toEqual(['2027-03-27T01:45:00.000Z', '2027-03-28T01:15:00.000Z', '2027-03-29T00:45:00.000Z'])
    stage.clock.advance(Date.parse('2027-10-30T12:00:00Z') - stage.clock.now())
    await stage.after(0)
    await runUntil('2027-11-01T12:00:00Z')
    expect(started.slice(3)).toEqual(['2027-10-30T12:15:00.000Z', '2027-10-31T00:45:00.000Z', '2027-11-01T01:45:00.000Z'])
  })

  it('runs after ten minutes despite players inside', async () => {
    await stage.after(0)
    stage.stand(inside)
    await stage.after(hour)
    expect(await stage.after(10 * minute - 1)).toBe(0)
    expect(await stage.after(1)).toBe(1)
  })

  it('runs once if it was missed while no node ran, and then on schedule', async () => {
    await stage.after(0)
    stage.restart()
    expect(await stage.after(5.5 * hour)).toBe(0)
    expect(await stage.after(30_000)).toBe(1)
    await stage.finish()
    expect(await stage.after(minute)).toBe(1)
    await stage.after(29 * minute)
    expect(await stage.after(minute)).toBe(2)
  })

  it('does not start again while the last one runs', async () => {
    await stage.after(0)
    await stage.after(hour)
    expect(await stage.after(minute)).toBe(1)
    await stage.after(hour)
    expect(await stage.after(minute)).toBe(1)
    await stage.finish()
    await stage.after(minute)
    expect(await stage.after(minute)).toBe(2)
  })

  it('is rescheduled when the schedule changes, or is removed and added again', async () => {
    await stage.after(0)
    stage.setReset({ snapshot, every: '2h' })
    await stage.after(hour)
    expect(await stage.after(minute)).toBe(0)
    stage.setReset(undefined)
    await stage.after(0)
    stage.setReset({ snapshot, every: '2h' })
    await stage.after(hour)
    expect(await stage.after(minute)).toBe(0)
    await stage.after(2 * hour)
    expect(await stage.after(minute)).toBe(1)
  })
})
