import { afterEach, describe, expect, it } from '@jest/globals'
import { openGameZones } from '../../../realtime/zones/open-game-zones.ts'
import type { Zone } from '../../../shared/domain/zones/zone.ts'
import { zoneCounts } from '../../../shared/domain/zones/zone-counts.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createMemoryEventBus } from '../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createStoredZones, createZone } from '../../support/zones/stored-zones.ts'

const ends: (() => unknown)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const createScene = () => {
  const { log, lines } = createCapturedLog()
  const store = createMemoryStore()
  const events = createMemoryEventBus({ log })
  const state = { isDown: false, lists: 0, answered: Promise.resolve() }
  const refuse = () => {
    if (state.isDown) throw new AppError('unavailable', 'service-unavailable', 'away')
  }
  const reached: Pick<Store, 'get' | 'list'> = {
    get: async (...args) => {
      refuse()
      const record = await store.get(...args)
      await state.answered
      return record
    },
    list: async (...args) => {
      refuse()
      state.lists += 1
      return store.list(...args)
    },
  }
  const open = async (checkEveryMs = 60_000) => {
    const zones = await openGameZones({ store: reached, events, worldName: 'default', clock: systemClock, log, checkEveryMs })
    ends.push(zones.close)
    return zones
  }
  return { store, events, state, lines, open, told: createStoredZones(store, events), untold: createStoredZones(store) }
}

const names = (zones: { list(): Iterable<Pick<Zone, 'name'>> }) => Array.from(zones.list(), ({ name }) => name).sort()

describe('the zones of a world', () => {
  it('are known as soon as they are read, without those of other worlds', async () => {
    const { open, untold } = createScene()
    await untold.put(createZone({ name: 'here' }))
    await untold.put(createZone({ name: 'off', enabled: false, chunks: [{ cx: 1, cz: 0 }] }))
    await untold.put(createZone({ name: 'elsewhere', world: 'other' }))
    const zones = await open()
    expect([zones.isKnown(), names(zones)]).toEqual([true, ['here', 'off']])
    expect(zones.zoneAt(3, 64, 3)?.name).toBe('here')
    expect(zones.zoneAt(19, 64, 3)).toBeUndefined()
  })

  it('keep the last state of an unreadable zone, and update the others', async () => {
    const { open, store, told, untold, lines } = createScene()
    const broken = await untold.put(createZone({ name: 'broken' }))
    const zones = await open()
    await store.put({ name: 'zones', parse: (value) => value }, broken.id, { ...broken, yMin: 'low' })
    await told.put(createZone({ name: 'new', chunks: [{ cx: 1, cz: 0 }] }))
    await untold.put(createZone({ name: 'newer', chunks: [{ cx: 2, cz: 0 }] }))
    const counts = await store.get(zoneCounts, 'default')
    if (counts === undefined) throw new Error('no counts')
    const { changes, recent } = counts.value
    await store.put(zoneCounts, 'default', { ...counts.value, changes: changes + 1, recent: [...recent, broken.id] })
    await zones.check()
    zones.step()
    expect(names(zones)).toEqual(['broken', 'new', 'newer'])
    expect(zones.zoneAt(3, 64, 3)?.name).toBe('broken')
    expect(lines).toContainEqual(expect.objectContaining({ level: 50, zoneId: broken.id }))
  })

  it('are unknown while an unreadable one may be of this world, not while it is of another', async () => {
    const { open, store, untold } = createScene()
    const anything = { name: 'zones', parse: (value: unknown) => value }
    await untold.put(createZone({ name: 'here' }))
    await store.put(anything, 'elsewhere', { world: 'other' })
    expect((await open()).isKnown()).toBe(true)
    await store.put(anything, 'broken', { world: 'default' })
    const zones = await open()
    expect(zones.isKnown()).toBe(false)
    await store.delete(anything, 'broken')
    await zones.check()
    zones.step()
    expect([zones.isKnown(), names(zones)]).toEqual([true, ['here']])
  })

  it('are known in a world without zones', async () => {
    const { open } = createScene()
    expect((await open()).isKnown()).toBe(true)
  })

  it('follow changes, disabling and deletion by themselves', async () => {
    const { open, told } = createScene()
    const zones = await open()
    const stepUntil = (holds: () => boolean) =>
      waitFor(() => {
        zones.step()
        return holds()
      })
    const zone = await told.put(createZone())
    await stepUntil(() => zones.zoneAt(3, 64, 3)?.id === zone.id)
    await told.put({ ...zone, enabled: false })
    await stepUntil(() => zones.zoneAt(3, 64, 3) === undefined)
    expect(names(zones)).toEqual(['Town'])
    await told.remove(zone)
    await stepUntil(() => names(zones).length === 0)
  })

  it('change only in a tick', async () => {
    const { open, untold } = createScene()
    const zones = await open()
    await untold.put(createZone())
    await zones.check()
    expect([zones.zoneAt(3, 64, 3), names(zones)]).toEqual([undefined, []])
    zones.step()
    expect([zones.zoneAt(3, 64, 3)?.name, names(zones)]).toEqual(['Town', ['Town']])
  })

  it('ignore events of other worlds', async () => {
    const { open, told } = createScene()
    const zones = await open()
    const before = zones.revision()
    await told.put(createZone({ world: 'other' }))
    await zones.check()
    zones.step()
    expect([names(zones), zones.revision()]).toEqual([[], before])
  })

  it('are repaired by the version of the counts when an event was lost', async () => {
    const { open, untold, state } = createScene()
    const kept = await untold.put(createZone({ name: 'kept' }))
    const gone = await untold.put(createZone({ name: 'gone', chunks: [{ cx: 1, cz: 0 }] }))
    const zones = await open()
    await untold.remove(gone)
    await untold.put({ ...kept, name: 'changed' })
    await untold.put(createZone({ name: 'new', chunks: [{ cx: 2, cz: 0 }] }))
    const { lists } = state
    await zones.check()
    zones.step()
    expect(names(zones)).toEqual(['changed', 'new'])
    const revision = zones.revision()
    await zones.check()
    zones.step()
    expect([state.lists, zones.revision()]).toEqual([lists, revision])
  })

  it('are repaired when more events were lost than the counts remember', async () => {
    const { open, untold } = createScene()
    const gone = await untold.put(createZone({ name: 'gone' }))
    const zones = await open()
    await untold.remove(gone)
    for (let at = 0; at < 100; at += 1) await untold.put(createZone({ name: `new ${at}`, chunks: [{ cx: at, cz: 0 }] }))
    await zones.check()
    zones.step()
    expect(names(zones)).toHaveLength(100)
    expect(zones.zoneAt(0, 64, 0)?.name).toBe('new 0')
  })

  it('include changes from before a check, even when another check runs already', async () => {
    const { open, untold, state } = createScene()
    const zones = await open()
    let answer = (): void => {}
    state.answered = new Promise((resolve) => {
      answer = resolve
    })
    const first = zones.check()
    await untold.put(createZone())
    const second = zones.check()
    answer()
    await Promise.all([first, second])
    zones.step()
    expect(names(zones)).toEqual(['Town'])
  })

  it('are repaired without a request', async () => {
    const { open, untold } = createScene()
    const zones = await open(5)
    await untold.put(createZone())
    await waitFor(() => {
      zones.step()
      return zones.zoneAt(3, 64, 3) !== undefined
    })
  })

  it('are unknown while the store is away at the start, and known once it is back', async () => {
    const { open, untold, state, lines } = createScene()
    await untold.put(createZone())
    state.isDown = true
    const zones = await open(5)
    expect(zones.isKnown()).toBe(false)
    state.isDown = false
    await waitFor(() => zones.isKnown())
    expect(zones.zoneAt(3, 64, 3)?.name).toBe('Town')
    expect(lines.filter(({ level }) => level === 50)).toHaveLength(1)
  })

  it('stay active while the store is away', async () => {
    const { open, untold, told, state } = createScene()
    const zone = await untold.put(createZone())
    const zones = await open()
    state.isDown = true
    await told.put({ ...zone, enabled: false })
    await zones.check()
    zones.step()
    expect(zones.zoneAt(3, 64, 3)?.id).toBe(zone.id)
    state.isDown = false
    await zones.check()
    zones.step()
    expect(zones.zoneAt(3, 64, 3)).toBeUndefined()
  })

  it('are all found when there are 2,500, and a change of one reads no other', async () => {
    const { open, untold, told, state } = createScene()
    const all = Array.from({ length: 2_500 }, (_, at) =>
      createZone({ name: `zone ${at}`, chunks: [{ cx: at % 50, cz: Math.floor(at / 50) }] }),
    )
    for (const zone of all) await untold.put(zone)
    const zones = await open()
    expect(names(zones)).toHaveLength(2_500)
    for (const { id, chunks } of all)
      expect(zones.zoneAt((chunks[0]?.cx ?? 0) * 16, 70, (chunks[0]?.cz ?? 0) * 16 + 15)?.id).toBe(id)
    const { lists } = state
    const first = all[0] ?? createZone()
    await told.put({ ...first, yMin: 71 })
    await zones.check()
    zones.step()
    expect([zones.zoneAt(0, 70, 0), zones.zoneAt(0, 71, 0)?.id, state.lists]).toEqual([undefined, first.id, lists])
  }, 180_000)

  it('are updated over several ticks after many changes, in the order of the changes', async () => {
    const { open, untold } = createScene()
    const zones = await open()
    expect(names(zones)).toEqual([])
    const wide = (at: number) => Array.from({ length: 4096 }, (_, i) => ({ cx: at, cz: i }))
    for (let at = 0; at < 8; at += 1) await untold.put(createZone({ chunks: wide(at) }))
    await zones.check()
    const counts: number[] = []
    for (let tick = 0; tick < 5; tick += 1) {
      zones.step()
      counts.push(names(zones).length)
    }
    expect(counts).toEqual([2, 4, 6, 8, 8])
  })
})
