import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { zoneCounts } from '../../../../shared/domain/zones/zone-counts.ts'
import { createZone } from '../../../support/zones/stored-zones.ts'
import { createZoneFixture, zoneEditor } from '../../../support/zones/zone-fixture.ts'

const input = { name: 'Town', yMin: 10, yMax: 20, chunks: [{ cx: 0, cz: 0 }] }
const anything = { name: 'zones', parse: (value: unknown) => value }

describe('an unreadable stored zone', () => {
  let fixture: Awaited<ReturnType<typeof createZoneFixture>>
  let id: string
  beforeEach(async () => {
    fixture = await createZoneFixture()
    id = randomUUID()
    await fixture.zones.createZone(zoneEditor, input)
    await fixture.store.put(anything, id, { ...createZone({ id }), yMax: 'high' })
  })

  it('does not hide other zones in the list, and is named in the log', async () => {
    expect(await fixture.zones.listZones()).toMatchObject([{ zone: { name: 'Town' } }])
    expect(await fixture.zones.listZones('default')).toHaveLength(1)
    expect(fixture.lines).toContainEqual(expect.objectContaining({ zoneId: id, world: 'default', level: 50 }))
  })

  it('prevents new zones in its world, because they could overlap, and not in other worlds', async () => {
    const zones = fixture.openService()
    const beside = { ...input, chunks: [{ cx: 1, cz: 1 }] }
    await expect(zones.createZone(zoneEditor, beside)).rejects.toMatchObject({
      kind: 'unavailable',
      publicDetail: expect.stringContaining(id),
    })
    expect((await zones.createZone(zoneEditor, { ...beside, world: 'north' })).zone.world).toBe('north')
  })

  it.each([
    ['its world can be read', { world: 'default' }],
    ['nothing of it can', {}],
  ])('can be removed when %s, and then prevents nothing', async (_name, left) => {
    await fixture.store.put(anything, id, left)
    await expect(fixture.zones.removeZone(zoneEditor, id, 'another version')).rejects.toMatchObject({ kind: 'stale' })
    fixture.clock.advance(1)
    const changes = (await fixture.store.get(zoneCounts, 'default'))?.value.changes ?? 0
    await fixture.zones.removeZone(zoneEditor, id)
    await expect(fixture.zones.getZone(id)).rejects.toMatchObject({ kind: 'not-found' })
    const counts = (await fixture.store.get(zoneCounts, 'default'))?.value
    expect(counts?.changes).toBe(changes + ('world' in left ? 1 : 0))
    expect((await fixture.listAudit())[0]).toMatchObject({ action: 'zone.delete', target: id, before: null, after: null })
    const { zone } = await fixture.openService().createZone(zoneEditor, { ...input, chunks: [{ cx: 1, cz: 1 }] })
    expect(zone.world).toBe('default')
  })
})
