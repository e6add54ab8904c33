import { describe, expect, it } from '@jest/globals'
import { createWorldZones } from '../../../../shared/domain/zones/world-zones.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../shared/platform/storage/store.ts'
import { recentMax } from '../../../support/zones/stored-zones.ts'
import { createZoneFixture, squareOf, zoneEditor } from '../../../support/zones/zone-fixture.ts'

const input = { name: 'Town', yMin: 10, yMax: 20, chunks: [{ cx: 0, cz: 0 }] }

/** Two writers on one store, and the cost of the reads of a third. */
const open = async () => {
  const store = createMemoryStore()
  const fixture = await createZoneFixture({ store })
  const reads = { gets: 0, lists: 0 }
  const counted: Store = {
    ...store,
    get: (collection, id) => {
      reads.gets += 1
      return store.get(collection, id)
    },
    list: (collection, options) => {
      reads.lists += 1
      return store.list(collection, options)
    },
  }
  const readZones = createWorldZones(counted)
  const cost = async () => {
    const before = { ...reads }
    await readZones('default')
    return { gets: reads.gets - before.gets, lists: reads.lists - before.lists }
  }
  return { ...fixture, readZones, cost }
}

describe('the zones of a world, read again', () => {
  it('cost one record without changes, one more per changed zone, and all after a long time', async () => {
    const { zones, cost, close } = await open()
    const { id } = (await zones.createZone(zoneEditor, input)).zone
    expect(await cost()).toEqual({ gets: 1, lists: 1 })
    expect(await cost()).toEqual({ gets: 1, lists: 0 })
    for (const name of ['a', 'b', 'c']) await zones.changeZone(zoneEditor, id, { name })
    expect(await cost()).toEqual({ gets: 2, lists: 0 })
    await zones.createZone(zoneEditor, { ...input, chunks: [{ cx: 1, cz: 0 }] })
    await zones.changeZone(zoneEditor, id, { enabled: false })
    expect(await cost()).toEqual({ gets: 3, lists: 0 })
    for (let n = 0; n < recentMax; n += 1) await zones.changeZone(zoneEditor, id, { name: `Name ${n}` })
    expect(await cost()).toEqual({ gets: 2, lists: 0 })
    for (let n = 0; n <= recentMax; n += 1) await zones.changeZone(zoneEditor, id, { name: `Again ${n}` })
    expect(await cost()).toEqual({ gets: 1, lists: 1 })
    await close()
  })

  it('are those of that world only, as stored', async () => {
    const { zones, readZones, close } = await open()
    const made = []
    for (const { cx, cz } of squareOf(-4, -4, 8))
      made.push((await zones.createZone(zoneEditor, { ...input, chunks: [{ cx, cz }] })).zone)
    await zones.createZone(zoneEditor, { ...input, world: 'north' })
    expect(new Set((await readZones('default')).index.list())).toEqual(new Set(made))
    for (const { id } of made.slice(0, 30)) await zones.removeZone(zoneEditor, id)
    const { index, counts } = await readZones('default')
    expect(new Set(index.list())).toEqual(new Set(made.slice(30)))
    expect(counts.zones).toBe(34)
    expect((await readZones('north')).index.size).toBe(1)
    expect((await readZones('nowhere')).index.size).toBe(0)
    await close()
  })

  it('are read once for all concurrent calls', async () => {
    const { zones, readZones, close } = await open()
    await zones.createZone(zoneEditor, input)
    const all = await Promise.all(Array.from({ length: 20 }, () => readZones('default')))
    expect(new Set(all.map(({ index }) => index)).size).toBe(1)
    await close()
  })

  it('are read completely after a read that failed midway', async () => {
    const store = createMemoryStore()
    const fixture = await createZoneFixture({ store })
    const readZones = createWorldZones(store)
    const { id } = (await fixture.zones.createZone(zoneEditor, input)).zone
    await readZones('default')
    await fixture.zones.changeZone(zoneEditor, id, { chunks: [{ cx: 1, cz: 1 }] })
    await fixture.zones.createZone(zoneEditor, input)
    const { get } = store
    let calls = 0
    store.get = (collection, key) => {
      calls += 1
      return calls === 3 ? Promise.reject(new Error('the disk is away')) : get(collection, key)
    }
    await expect(readZones('default')).rejects.toThrow('the disk is away')
    const { index } = await readZones('default')
    expect(index.zoneAt(0, 15, 0)?.id).not.toBe(id)
    expect(index.zoneAt(16, 15, 16)?.id).toBe(id)
    await fixture.close()
  })
})
