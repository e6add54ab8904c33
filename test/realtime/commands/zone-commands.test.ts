import { describe, expect, it } from '@jest/globals'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { createStoredZones, createZone } from '../../support/zones/stored-zones.ts'
import { createCommandFixture } from './command-fixture.ts'

const createScene = async (options: { zonesUnknown?: boolean } = {}) => {
  const fixture = createCommandFixture(options)
  const root = await fixture.addAccount('root@example.org', { groups: ['admin'], password: 'correct horse', displayName: 'Root' })
  const mod = await fixture.addAccount('mod@example.org', { groups: ['moderator'], displayName: 'Mo' })
  return { ...fixture, root, mod }
}

const idOf = (digit: string, tail = digit) => `${digit.repeat(8)}-1111-4111-8111-11111111111${tail}`

describe('/zones', () => {
  it('reports an empty list', async () => {
    const { run, mod } = await createScene()
    expect(await run(mod, '/zones')).toEqual({ ok: true, text: '0 zones in this world.', data: { count: 0, zones: [] } })
  })

  it('does not list zones that are still loading', async () => {
    const { run, mod } = await createScene({ zonesUnknown: true })
    expect(await run(mod, '/zones')).toMatchObject({ ok: false, data: { slug: 'service-unavailable' } })
  })

  it('lists the zones of this world by name to a caller outside the game', async () => {
    const { run, mod, addZone } = await createScene()
    const b = await addZone({ name: 'B', id: idOf('b'), enabled: false, chunks: [{ cx: 5, cz: 5 }] })
    const a = await addZone({
      name: 'A',
      id: idOf('a'),
      chunks: [
        { cx: 6, cz: 5 },
        { cx: 6, cz: 6 },
      ],
    })
    await addZone({ name: 'C', world: 'elsewhere' })
    const reply = await run(mod, '/zones')
    expect(reply.text).toBe(
      `2 zones in this world:\n"A": y 60 to 80, 2 chunks, on (${a.id})\n"B": y 60 to 80, 1 chunk, off (${b.id})`,
    )
    expect(reply.data).toEqual({
      count: 2,
      zones: [
        { id: a.id, name: 'A', yMin: 60, yMax: 80, chunks: 2, enabled: true },
        { id: b.id, name: 'B', yMin: 60, yMax: 80, chunks: 1, enabled: false },
      ],
    })
  })

  it('lists the nearest zones first for a player, and marks the zone around them', async () => {
    const { run, mod, addZone, join } = await createScene()
    join(mod)
    await addZone({ name: 'far', chunks: [{ cx: 9, cz: 0 }] })
    await addZone({ name: 'near', chunks: [{ cx: 1, cz: -1 }] })
    await addZone({ name: 'here', chunks: [{ cx: 0, cz: -1 }] })
    await addZone({ name: 'above', yMin: 100, yMax: 110, chunks: [{ cx: 0, cz: -1 }] })
    const { text } = await run(mod, '/zones')
    expect(
      text
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/ \(.*/, '')),
    ).toEqual([
      '"here": y 60 to 80, 1 chunk, on, here',
      '"near": y 60 to 80, 1 chunk, on, 15 blocks away',
      '"above": y 100 to 110, 1 chunk, on, 36 blocks away',
      '"far": y 60 to 80, 1 chunk, on, 143 blocks away',
    ])
  })

  it('lists twenty of many zones, with the total', async () => {
    const { run, mod, addZone, join } = await createScene()
    join(mod)
    for (let at = 60; at > 0; at -= 1) await addZone({ name: `zone ${at}`, chunks: [{ cx: at, cz: 0 }] })
    const { text } = await run(mod, '/zones')
    const lines = text.split('\n')
    expect(lines[0]).toBe('60 zones in this world, the nearest 20 of them:')
    expect(lines.slice(1).map((line) => line.split('"')[1])).toEqual(Array.from({ length: 20 }, (_, at) => `zone ${at + 1}`))
  })
})

describe('/zone:enable and /zone:disable', () => {
  it.each([
    ['its whole id', (id: string) => id],
    ['how its id begins', (id: string) => id.slice(0, 4).toUpperCase()],
    ['its name', () => 'town hall'],
    ['its name in quotes', () => '"Town Hall"'],
  ])('switch a zone that is named by %s, before they answer', async (_what, nameOf) => {
    const { run, root, addZone, zones, deps } = await createScene()
    const zone = await addZone({ name: 'Town Hall' })
    const named = nameOf(zone.id)
    expect(await run(root, `/zone:disable ${named}`)).toEqual({
      ok: true,
      text: 'Zone "Town Hall" of world default is disabled.',
      data: { id: zone.id, name: 'Town Hall', world: 'default', enabled: false },
    })
    expect([deps.gameZones.zoneAt(3, 64, 3), (await zones.getZone(zone.id)).zone.enabled]).toEqual([undefined, false])
    expect(await run(root, `/zone:enable ${named}`)).toMatchObject({
      ok: true,
      text: 'Zone "Town Hall" of world default is enabled.',
    })
    expect([deps.gameZones.zoneAt(3, 64, 3)?.id, (await zones.getZone(zone.id)).zone.enabled]).toEqual([zone.id, true])
  })

  it('switch a zone of another world by its whole id only', async () => {
    const { run, root, store, zones } = await createScene()
    const { id } = await createStoredZones(store).put(createZone({ world: 'elsewhere', name: 'Far' }))
    expect(await run(root, '/zone:disable Far')).toMatchObject({ ok: false, data: { slug: 'not-found' } })
    expect(await run(root, `/zone:disable ${id}`)).toMatchObject({ ok: true, text: 'Zone "Far" of world elsewhere is disabled.' })
    expect((await zones.getZone(id)).zone.enabled).toBe(false)
  })

  it('refuse an ambiguous name, list the matches, and switch none', async () => {
    const { run, root, addZone, zones } = await createScene()
    const one = await addZone({ name: 'Twin' })
    const other = await addZone({ name: 'twin', chunks: [{ cx: 1, cz: 1 }] })
    const reply = await run(root, '/zone:disable Twin')
    expect(reply).toMatchObject({ ok: false, data: { code: 'refused', slug: 'conflict' } })
    for (const { id } of [one, other]) {
      expect(reply.text).toContain(id)
      expect((await zones.getZone(id)).zone.enabled).toBe(true)
    }
  })

  it.each(['nowhere', 'aaa', '11111111-1111-4111-8111-111111111111'])('refuse %s, which does not match a zone', async (named) => {
    const { run, root, addZone } = await createScene()
    await addZone({ id: idOf('a') })
    expect(await run(root, `/zone:disable ${named}`)).toMatchObject({ ok: false, data: { slug: 'not-found' } })
  })

  it('write an audit entry with the caller', async () => {
    const { run, root, addZone, store } = await createScene()
    const { id } = await addZone()
    await run(root, `/zone:disable ${id}`)
    const { entries } = await createStoreAuditLog(store).listEntries({ limit: 10 })
    expect(entries).toEqual([expect.objectContaining({ actor: root.email, via: 'command', target: expect.stringContaining(id) })])
  })
})

describe('/why about building', () => {
  it('names the zone around a player, and whether they may build there', async () => {
    const { run, root, mod, addZone, join } = await createScene()
    join(mod)
    const { id } = await addZone({ name: 'Town', chunks: [{ cx: 0, cz: -1 }] })
    const where = `zone: At 1 64 -3 in zone "Town" (${id}), where building also needs zone.build. Mo may not build there.`
    expect(await run(root, '/why mo zone.build')).toMatchObject({
      ok: true,
      text: expect.stringContaining(where),
      data: { allowed: false, checks: expect.arrayContaining([expect.objectContaining({ check: 'zone', ok: false })]) },
    })
    const reply = await run(root, '/why mo world.build')
    expect(reply).toMatchObject({ data: { allowed: false, rule: { rule: 'world.build' } } })
    expect(reply.text).toContain('"world.build" is granted')
    expect(reply.text).toContain('in zone "Town"')
    expect(reply.text).toContain('"zone.build" is not granted')
  })

  it('applies a grant in the zone around the player, and names it with its end elsewhere', async () => {
    const { run, root, mod, addZone, join, accounts, callerFor } = await createScene()
    const { id } = await addZone({ name: 'Town', chunks: [{ cx: 0, cz: -1 }] })
    const { actor } = await callerFor(root)
    await accounts.addGrant(actor, mod.email, { permission: 'zone.build', zone: id, until: '2999-01-01T00:00:00.000Z' })
    expect(await run(root, '/why mo zone.build')).toMatchObject({
      text: expect.stringContaining(
        `A grant gives it only elsewhere: in zone ${id} until 2999-01-01T00:00:00.000Z, given by root@example.org.`,
      ),
      data: { allowed: false },
    })
    join(mod)
    expect(await run(root, '/why mo world.build')).toMatchObject({ data: { allowed: true } })
    expect(await run(root, '/why mo zone.build')).toMatchObject({ data: { allowed: true, rule: { source: 'grant' } } })
  })

  it('says that a player with the permission may build in the zone', async () => {
    const { run, root, addZone, join } = await createScene()
    join(root)
    await addZone({ chunks: [{ cx: 0, cz: -1 }] })
    const reply = await run(root, '/why root zone.build')
    expect(reply.text).toMatch(/granted by the rule "\*" .*\n.*verified.*\n.*in zone "Town".*Root may build there\./)
    expect(reply.data).toMatchObject({ allowed: true, rule: { group: 'admin', through: [], source: 'built-in' } })
  })

  it('says that building outside zones and in a disabled zone needs no zone permission', async () => {
    const { run, root, mod, addZone, join } = await createScene()
    join(mod)
    await addZone({ chunks: [{ cx: 0, cz: -1 }], enabled: false })
    await addZone({ chunks: [{ cx: 1, cz: -1 }] })
    const where = 'At 1 64 -3, outside all zones: building there does not need zone.build. Mo may build there.'
    expect(await run(root, '/why mo zone.build')).toMatchObject({
      text: expect.stringContaining(where),
      data: { allowed: false },
    })
    expect(await run(root, '/why mo world.build')).toMatchObject({
      text: expect.stringContaining(where),
      data: { allowed: true },
    })
  })

  it('names the other permissions that are missing in the zone', async () => {
    const { run, root, mod, addZone, join, permissions } = await createScene()
    join(mod)
    permissions.replace({ groups: [{ name: 'moderator', permissions: ['zone.build'] }], defaultGroups: [] })
    await addZone({ chunks: [{ cx: 0, cz: -1 }] })
    expect((await run(root, '/why mo zone.build')).text).toMatch(/Mo may not build there\. "world\.build" is not granted/)
  })

  it('says that building is refused while zones are unknown', async () => {
    const { run, root, mod, join } = await createScene({ zonesUnknown: true })
    join(mod)
    expect((await run(root, '/why mo world.build')).text).toContain('No one can build until then')
  })

  it('says that a player outside the game has no place to decide for', async () => {
    const { run, root } = await createScene()
    const reply = await run(root, '/why mo zone.build')
    expect(reply.text).toContain('Mo is not in the game')
    expect(reply.text).toContain('The position is unknown')
  })
})
