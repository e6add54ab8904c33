import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { zoneCounts } from '../../../../shared/domain/zones/zone-counts.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { recentMax } from '../../../support/zones/stored-zones.ts'
import { createZoneFixture, squareOf, zoneEditor } from '../../../support/zones/zone-fixture.ts'

const column = { cx: 0, cz: 0 }
const input = { name: 'Town', yMin: 10, yMax: 20, chunks: [column] }
const off = { enabled: false, flipped: false, pos: 0 }

describe('the zone service', () => {
  let fixture: Awaited<ReturnType<typeof createZoneFixture>>
  let zones: typeof fixture.zones
  const create = async (parts: Partial<typeof input & { world: string }> = {}) =>
    (await zones.createZone(zoneEditor, { ...input, ...parts })).zone

  beforeEach(async () => {
    fixture = await createZoneFixture()
    zones = fixture.zones
  })
  afterEach(() => fixture.close())

  describe('creation', () => {
    it('creates an enabled zone of the active world with an empty layout, owned by its author', async () => {
      const { zone, version } = await zones.createZone(zoneEditor, { ...input, name: '  Town hall ' })
      expect(zone).toEqual({
        ...input,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Town hall',
        world: 'default',
        enabled: true,
        clipPlanes: { x: off, y: off, z: off },
        shortcutBarPages: [],
        owner: zoneEditor.playerId,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      })
      expect(await zones.getZone(zone.id)).toEqual({ zone, version })
      expect(fixture.published).toEqual([{ topic: 'zones-changed', world: 'default', zoneId: zone.id }])
      expect(await fixture.listAudit()).toMatchObject([
        { action: 'zone.create', target: zone.id, actor: zoneEditor.email, via: 'http', before: null, after: zone },
      ])
    })

    it('sorts the columns by cx, then cz', async () => {
      const chunks = [
        { cx: 1, cz: -1 },
        { cx: -2, cz: 3 },
        { cx: 1, cz: -2 },
        { cx: -2, cz: -4 },
      ]
      expect((await create({ chunks })).chunks).toEqual([chunks[3], chunks[1], chunks[2], chunks[0]])
    })

    it.each([
      ['a', 'a'],
      ['\t a b \n', 'a b'],
      ['x'.repeat(64), 'x'.repeat(64)],
      ['🏰'.repeat(64), '🏰'.repeat(64)],
      [` ${'y'.repeat(64)} `, 'y'.repeat(64)],
      ['👩‍👧', '👩‍👧'],
      ['قلعة', 'قلعة'],
    ])('keeps the name %j as %j', async (name, kept) => {
      expect((await create({ name })).name).toBe(kept)
    })

    it.each([
      '',
      '   ',
      'x'.repeat(65),
      '🏰'.repeat(65),
      'a\u0000b',
      'a\nb',
      'a\u007fb',
      'a\u0085b',
      'a\u2028b',
      'a\u202eb',
      'a\u2066b',
      '\ud800',
      '\u200b',
      '\u0301',
    ])('refuses the name %j and creates nothing', async (name) => {
      await expect(create({ name })).rejects.toMatchObject({ kind: 'invalid', errors: [{ pointer: '/name' }] })
      expect(await zones.listZones()).toEqual([])
    })

    it.each([
      [10, 10],
      [11, 10],
      [255, 0],
    ])('refuses heights from %i to %i', async (yMin, yMax) => {
      const refusal = { kind: 'unprocessable', slug: 'rule-broken', errors: [{ pointer: '/yMin' }] }
      await expect(create({ yMin, yMax })).rejects.toMatchObject(refusal)
    })
  })

  describe('overlaps', () => {
    const cases: readonly (readonly [string, Partial<typeof input & { world: string }>, boolean])[] = [
      ['the same heights of the same column', {}, true],
      ['one height of the same column', { yMin: 20, yMax: 30 }, true],
      ['one height at the lower end', { yMin: 0, yMax: 10 }, true],
      ['heights around it', { yMin: 0, yMax: 255 }, true],
      ['heights within it', { yMin: 14, yMax: 15 }, true],
      ['one column of several', { chunks: [{ cx: -1, cz: 0 }, column, { cx: 1, cz: 0 }] }, true],
      ['the heights right above', { yMin: 21, yMax: 30 }, false],
      ['the heights right below', { yMin: 0, yMax: 9 }, false],
      ['the column beside it', { chunks: [{ cx: 0, cz: 1 }] }, false],
      ['the same column of another world', { world: 'north' }, false],
    ]

    it.each(cases)('a zone on %s', async (_where, parts, isRefused) => {
      const there = await create()
      const attempt = create(parts)
      if (!isRefused) return void expect(await attempt).toMatchObject(parts)
      const refusal = { kind: 'conflict', slug: 'zone-overlap', publicDetail: expect.stringContaining(`"Town" (${there.id})`) }
      await expect(attempt).rejects.toMatchObject(refusal)
      expect(await zones.listZones()).toEqual([{ zone: there }])
      return undefined
    })

    it.each(cases)('a zone that is moved onto %s, while the other is disabled', async (_where, parts, isRefused) => {
      const { id } = await create()
      const there = (await zones.changeZone(zoneEditor, id, { enabled: false })).zone
      const { world = 'default', chunks = input.chunks, yMin = input.yMin, yMax = input.yMax } = parts
      const moving = await create({ world, chunks, yMin: 200, yMax: 210 })
      const attempt = zones.changeZone(zoneEditor, moving.id, { yMin, yMax })
      if (!isRefused) return void expect((await attempt).zone).toMatchObject({ yMin, yMax })
      await expect(attempt).rejects.toMatchObject({ slug: 'zone-overlap' })
      expect(await zones.listZones()).toEqual([{ zone: there }, { zone: moving }])
      return undefined
    })

    it('allow a zone to move within its own columns', async () => {
      const { id } = await create()
      expect((await zones.changeZone(zoneEditor, id, { yMin: 11, yMax: 21 })).zone).toMatchObject({ yMin: 11, yMax: 21 })
      const chunks = [column, { cx: 1, cz: 1 }]
      expect((await zones.changeZone(zoneEditor, id, { chunks })).zone.chunks).toEqual(chunks)
    })

    it('end when the other zone is removed, moved or smaller', async () => {
      const { id } = await create({ chunks: squareOf(0, 0, 2) })
      await zones.changeZone(zoneEditor, id, { chunks: [{ cx: 1, cz: 1 }] })
      const second = await create()
      await zones.changeZone(zoneEditor, id, { yMin: 100, yMax: 110 })
      await create({ chunks: [{ cx: 1, cz: 1 }] })
      await zones.removeZone(zoneEditor, second.id)
      await create()
    })
  })

  describe('a change', () => {
    it('keeps other values, and audits both states', async () => {
      const before = await create()
      fixture.clock.advance(5000)
      const { zone } = await zones.changeZone(zoneEditor, before.id, { name: ' Harbour ' })
      expect(zone).toEqual({ ...before, name: 'Harbour', updatedAt: '2026-01-01T00:00:05.000Z' })
      const [entry] = await fixture.listAudit()
      const { chunks: _chunks, ...rest } = before
      expect(entry).toMatchObject({ action: 'zone.update', target: before.id })
      expect(entry?.before).toEqual(rest)
      expect(entry?.after).toEqual({ ...rest, name: 'Harbour', updatedAt: zone.updatedAt })
      expect(fixture.published).toHaveLength(2)
    })

    it('audits the columns when they change', async () => {
      const { id } = await create()
      const chunks = [{ cx: 1, cz: 1 }]
      fixture.clock.advance(1)
      await zones.changeZone(zoneEditor, id, { chunks })
      expect((await fixture.listAudit())[0]).toMatchObject({ before: { chunks: [column] }, after: { chunks } })
    })

    it('without a difference returns the zone, and is neither audited nor published', async () => {
      const { id } = await create()
      const before = await zones.getZone(id)
      fixture.clock.advance(1000)
      for (const change of [{ name: 'Town ' }, { yMin: 10, yMax: 20 }, { chunks: [column] }, { enabled: true }])
        expect(await zones.changeZone(zoneEditor, id, change)).toEqual(before)
      expect(await fixture.listAudit()).toHaveLength(1)
      expect(fixture.published).toHaveLength(1)
    })

    it('has the same checks of names, heights, columns and blocks as creation', async () => {
      const { id } = await create()
      const clipPlanes = { x: off, y: off, z: off }
      const refused = async (change: Parameters<typeof zones.changeZone>[2], refusal: object) =>
        expect(zones.changeZone(zoneEditor, id, change)).rejects.toMatchObject(refusal)
      await refused({ name: ' ' }, { kind: 'invalid' })
      await refused({ yMin: 20, yMax: 20 }, { slug: 'rule-broken' })
      await refused({ chunks: [column, column] }, { kind: 'invalid' })
      await refused({ chunks: [column, { cx: 50, cz: 0 }] }, { slug: 'chunks-not-generated', errors: [{ pointer: '/chunks/1' }] })
      const pages = [[null, 'stone', 'air'], ['unknown'], [], ['stone', 'cheese']]
      await refused(
        { clipPlanes, shortcutBarPages: pages },
        { slug: 'rule-broken', errors: [{ pointer: '/shortcutBarPages/1/0' }, { pointer: '/shortcutBarPages/3/1' }] },
      )
      expect(await fixture.listAudit()).toHaveLength(1)
    })

    it('keeps many concurrent changes of one zone by one service and by two', async () => {
      const { id } = await create()
      const other = fixture.openService()
      await Promise.all([
        zones.changeZone(zoneEditor, id, { name: 'Other' }),
        other.changeZone(zoneEditor, id, { enabled: false }),
        zones.changeZone(zoneEditor, id, { yMin: 1, yMax: 2 }),
        other.changeZone(zoneEditor, id, { chunks: [{ cx: 2, cz: 2 }] }),
      ])
      const expected = { name: 'Other', enabled: false, yMin: 1, yMax: 2, chunks: [{ cx: 2, cz: 2 }] }
      expect((await zones.getZone(id)).zone).toMatchObject(expected)
      expect(await fixture.listAudit()).toHaveLength(5)
    })
  })

  it('removes a zone for good', async () => {
    const zone = await create()
    fixture.clock.advance(1)
    await zones.removeZone(zoneEditor, zone.id)
    const missing = { kind: 'not-found', slug: 'not-found' }
    await expect(zones.getZone(zone.id)).rejects.toMatchObject(missing)
    await expect(zones.changeZone(zoneEditor, zone.id, { enabled: false })).rejects.toMatchObject(missing)
    await expect(zones.removeZone(zoneEditor, zone.id)).rejects.toMatchObject(missing)
    expect((await fixture.listAudit())[0]).toMatchObject({ action: 'zone.delete', target: zone.id, before: zone, after: null })
    expect(fixture.published).toHaveLength(2)
  })

  it.each(['', 'x', './', 'a'.repeat(600), '\ud800'])('finds no zone with the id %j', async (id) => {
    await expect(zones.getZone(id)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('counts every change in the counts of its world, and in no other', async () => {
    const countsOf = (world: string) => fixture.store.get(zoneCounts, world)
    const versions = new Set<string | undefined>([(await countsOf('default'))?.version])
    const { id } = await create()
    const note = async () => versions.add((await countsOf('default'))?.version)
    await note()
    for (const change of [
      { name: 'Other' },
      { enabled: false },
      { yMin: 1, yMax: 2 },
      { clipPlanes: { x: off, y: off, z: off }, shortcutBarPages: [[]] },
    ]) {
      await zones.changeZone(zoneEditor, id, change)
      await note()
    }
    await zones.removeZone(zoneEditor, id)
    await note()
    expect(versions.size).toBe(7)
    expect((await countsOf('default'))?.value).toMatchObject({ zones: 0, changes: 6 })
    expect(await countsOf('north')).toBeUndefined()
  })

  describe('several services on one store', () => {
    it('create one zone for a hundred creations on one column', async () => {
      const services = [zones, fixture.openService(), fixture.openService()]
      const outcomes = await Promise.allSettled(
        Array.from({ length: 100 }, (_, n) => services[n % 3]?.createZone(zoneEditor, { ...input, name: `Zone ${n}` })),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ slug: 'zone-overlap' })
      expect(await zones.listZones()).toHaveLength(1)
      expect(await fixture.listAudit()).toHaveLength(1)
    })

    it('create all of sixty zones on different columns', async () => {
      const services = [zones, fixture.openService(), fixture.openService()]
      await Promise.all(
        squareOf(-4, -4, 8)
          .slice(0, 60)
          .map((pos, n) => services[n % 3]?.createZone(zoneEditor, { ...input, chunks: [pos] })),
      )
      const listed = await zones.listZones()
      expect(new Set(listed.map(({ zone }) => zone.createdAt)).size).toBe(60)
      expect((await fixture.store.get(zoneCounts, 'default'))?.value.zones).toBe(60)
    })

    it('see any number of changes by the others', async () => {
      const other = fixture.openService()
      await create()
      const { id } = (await other.createZone(zoneEditor, { ...input, chunks: [{ cx: 1, cz: 1 }] })).zone
      for (let n = 0; n < recentMax + 6; n += 1) await other.changeZone(zoneEditor, id, { name: `Name ${n}` })
      await other.changeZone(zoneEditor, id, { chunks: [{ cx: 2, cz: 2 }] })
      await expect(create({ chunks: [{ cx: 2, cz: 2 }] })).rejects.toMatchObject({ slug: 'zone-overlap' })
      await create({ chunks: [{ cx: 1, cz: 1 }] })
      await other.removeZone(zoneEditor, id)
      await create({ chunks: [{ cx: 2, cz: 2 }] })
    })
  })

  it('throws a repeatable error when another writer is always faster', async () => {
    const store = createMemoryStore()
    const lost = () => Promise.reject(new AppError('conflict', 'conflict', 'Somebody else was faster.'))
    const slow = await createZoneFixture({ store })
    const { zone } = await slow.zones.createZone(zoneEditor, input)
    store.commit = lost
    const refusal = { kind: 'unavailable', retryAfterSeconds: 1 }
    await expect(slow.zones.changeZone(zoneEditor, zone.id, { enabled: false })).rejects.toMatchObject(refusal)
    expect((await slow.zones.getZone(zone.id)).zone).toEqual(zone)
    await slow.close()
  })

  describe('the list', () => {
    it('is oldest first, also within a millisecond, for one world or all', async () => {
      const made = []
      for (const { cx, cz } of squareOf(-4, -4, 5)) made.push(await create({ chunks: [{ cx, cz }] }))
      fixture.clock.advance(1)
      const north = await create({ world: 'north' })
      fixture.clock.advance(1000)
      made.push(await create({ chunks: [{ cx: 3, cz: 3 }] }))
      const idsOf = (listed: readonly { zone: { id: string } }[]) => listed.map(({ zone }) => zone.id)
      expect(idsOf(await zones.listZones('default'))).toEqual(made.map(({ id }) => id))
      expect(idsOf(await zones.listZones('north'))).toEqual([north.id])
      expect(idsOf(await zones.listZones())).toHaveLength(27)
      await expect(zones.listZones('nowhere')).rejects.toMatchObject({ kind: 'not-found' })
    })

    it('warns of missing columns and of an unreadable world, and has the other zones', async () => {
      const whole = await create({ chunks: [{ cx: 1, cz: 1 }] })
      const torn = await create({ chunks: [column, { cx: 0, cz: 1 }] })
      const north = await create({ world: 'north' })
      await fixture.chunks.setAside(await fixture.worlds.getWorld(), column, 1)
      const fault = new AppError('unavailable', 'world-unusable', 'Its folder is locked.')
      const { hasMany } = fixture.chunks
      fixture.chunks.hasMany = (world, columns) => (world.name === 'north' ? Promise.reject(fault) : hasMany(world, columns))
      const warning = 'Missing from the world: 1 of the zone’s 2 chunks.'
      expect(new Set(await zones.listZones())).toEqual(
        new Set([{ zone: whole }, { zone: torn, warning }, { zone: north, warning: 'Its folder is locked.' }]),
      )
      expect(await zones.describeZone(torn.id)).toMatchObject({ zone: torn, warning })
      expect(await zones.describeZone(whole.id)).not.toHaveProperty('warning')
      await zones.changeZone(zoneEditor, torn.id, { name: 'Still mine' })
      await zones.removeZone(zoneEditor, north.id)
    })
  })
})
