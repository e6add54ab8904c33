import { afterEach, describe, expect, it } from '@jest/globals'
import { gameZoneOf } from '../../../realtime/zones/game-zone.ts'
import type { Zone } from '../../../shared/domain/zones/zone.ts'
import { openFakeClient } from '../../support/realtime/fake-socket.ts'
import { createRealtimeFixture } from '../../support/realtime/realtime-fixture.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createStoredZones, createZone } from '../../support/zones/stored-zones.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const createScene = async () => {
  const clock = createFixedClock()
  const fixture = createRealtimeFixture({ clock })
  const { loop, world, store, zoneWatch } = fixture
  ends.push(world.close)
  const stored = createStoredZones(store)
  const tick = () => {
    clock.advance(50)
    loop.tick(clock.monotonic())
  }
  const zone = await stored.put(createZone({ chunks: [{ cx: 1, cz: 0 }] }))
  await zoneWatch.check()
  const put = async (changed: Zone) => {
    await stored.put(changed)
    await zoneWatch.check()
    tick()
  }
  const remove = async (gone: Zone) => {
    await stored.remove(gone)
    await zoneWatch.check()
    tick()
  }
  const connect = async (secrets: { token?: string; resumeToken?: string }) => {
    const client = openFakeClient(fixture)
    client.send({ $case: 'connect', value: { token: '', protocolVersion: 1, clientName: 'test', ...secrets } })
    await waitFor(loop.isIdle)
    tick()
    await waitFor(() => {
      tick()
      return world.loaded.stats().loading === 0
    })
    return client
  }
  const account = await fixture.addAccount('ann')
  const join = async () => connect({ token: await fixture.signIn(account) })
  const teleport = (x: number, y = 64, z = 0.5) => {
    loop.live.teleport(account.playerId, { x, y, z, yaw: 0, pitch: 0 })
    tick()
  }
  const walk = (client: Awaited<ReturnType<typeof join>>, ...path: readonly number[]) => {
    for (const [seq, x] of path.entries()) {
      client.send({ $case: 'move', value: { seq, x, y: 64, z: 0.5, yaw: 0, pitch: 0 } })
      for (let ticks = 0; ticks < 10; ticks += 1) tick()
    }
  }
  return { ...fixture, account, zone, tick, put, remove, connect, join, walk, teleport }
}

/** All ZoneChanged messages of a client. */
const told = ({ received }: Awaited<ReturnType<Awaited<ReturnType<typeof createScene>>['join']>>) =>
  received.flatMap((message) => (message.$case === 'zoneChanged' ? [message.value] : []))

const cases = (client: Parameters<typeof told>[0]) => client.received.map(({ $case }) => $case)

it('refuses edits of a zone to a player without zone.build', async () => {
  const { join, tick, walk } = await createScene()
  const client = await join()
  walk(client, 8.5, 15.5)
  for (const x of [17, 14]) client.send({ $case: 'editBlocks', value: { seq: x, edits: [{ x, y: 65, z: 0, type: 'stone' }] } })
  await waitFor(() => {
    tick()
    return client.received.filter(({ $case }) => $case === 'editResult').length === 2
  })
  const results = client.received.flatMap((message) => (message.$case === 'editResult' ? [message.value] : []))
  expect(results).toMatchObject([
    { seq: 17, ok: false, reason: 'missing-permission: zone.build in zone "Town"' },
    { seq: 14, ok: true },
  ])
})

it('stops a player at the edge of a zone that only members may enter', async () => {
  const { join, put, walk, zone } = await createScene()
  await put({ ...zone, rules: { build: 'permission', enter: 'members' } })
  const client = await join()
  walk(client, 8.5, 15.9, 16)
  expect(client.find('correction')).toMatchObject({
    reason: 'zone-closed',
    position: { x: 15.9 },
    closed: { zoneId: zone.id, zoneName: 'Town', cx: 1, cz: 0 },
  })
  expect(told(client)).toEqual([])
})

describe('ZoneChanged', () => {
  it('is sent to a player who walks into a zone, and out of it again', async () => {
    const { join, walk, zone } = await createScene()
    const client = await join()
    walk(client, 8.5, 15.9, 16, 20.5, 14.5)
    expect(told(client)).toEqual([{ entered: { id: zone.id, name: 'Town' } }, { left: { id: zone.id } }])
  })

  it('depends on the block at the feet: above and below there is no zone', async () => {
    const { join, teleport, zone } = await createScene()
    const client = await join()
    for (const y of [59.99, 60, 80.99, 81, 300]) teleport(20.5, y)
    expect(told(client)).toEqual([{ entered: { id: zone.id, name: 'Town' } }, { left: { id: zone.id } }])
  })

  it('names both zones at once when a player moves from one to another', async () => {
    const { join, teleport, put, zone } = await createScene()
    const other = createZone({ name: 'Harbour', chunks: [{ cx: 2, cz: 0 }] })
    await put(other)
    const client = await join()
    teleport(20.5)
    teleport(40.5)
    expect(told(client).at(-1)).toEqual({ entered: { id: other.id, name: 'Harbour' }, left: { id: zone.id } })
  })

  it('is sent after Welcome to a player who joins inside a zone, and again on resume', async () => {
    const { join, teleport, connect, tick, zone } = await createScene()
    const first = await join()
    teleport(20.5)
    const { resumeToken } = first.find('welcome') ?? { resumeToken: '' }
    first.connection.ended()
    tick()
    const second = await connect({ resumeToken })
    expect(cases(second).slice(0, 2)).toEqual(['welcome', 'zoneChanged'])
    expect(told(second)).toEqual([{ entered: { id: zone.id, name: 'Town' } }])
  })

  it('names the current zone on resume', async () => {
    const { join, teleport, connect, tick, put, zone } = await createScene()
    const first = await join()
    teleport(20.5)
    const { resumeToken } = first.find('welcome') ?? { resumeToken: '' }
    first.connection.ended()
    tick()
    await put({ ...zone, enabled: false })
    expect(told(await connect({ resumeToken }))).toEqual([])
  })

  it.each([
    ['is disabled and enabled', (zone: Zone) => [{ ...zone, enabled: false }, zone]],
    ['moves its bounds away and back', (zone: Zone) => [{ ...zone, yMin: 65 }, zone]],
    ['moves its chunks away and back', (zone: Zone) => [{ ...zone, chunks: [{ cx: 7, cz: 7 }] }, zone]],
  ])('is sent to a player who does not move when the zone around them %s', async (_what, changes) => {
    const { join, teleport, put, zone } = await createScene()
    const client = await join()
    teleport(20.5)
    for (const change of changes(zone)) await put(change)
    const entered = { entered: { id: zone.id, name: 'Town' } }
    expect(told(client)).toEqual([entered, { left: { id: zone.id } }, entered])
  })

  it('is sent to a player who does not move when the zone around them is deleted', async () => {
    const { join, teleport, remove, zone } = await createScene()
    const client = await join()
    teleport(20.5)
    await remove(zone)
    expect(told(client).at(-1)).toEqual({ left: { id: zone.id } })
  })

  it('enters a renamed zone again, and ignores its other changes', async () => {
    const { join, teleport, put, zone } = await createScene()
    const client = await join()
    teleport(20.5)
    await put({ ...zone, yMax: 90 })
    await put({ ...zone, name: 'City', owner: 'bob' })
    expect(told(client)).toEqual([{ entered: { id: zone.id, name: 'Town' } }, { entered: { id: zone.id, name: 'City' } }])
  })

  it('is not sent while zones are unknown, and then names the current one', async () => {
    const fixture = createRealtimeFixture({ clock: createFixedClock(), zonesUnknown: true })
    const { loop, world } = fixture
    ends.push(world.close)
    const client = openFakeClient(fixture)
    const account = await fixture.addAccount('ann')
    client.send({ $case: 'connect', value: { token: await fixture.signIn(account), protocolVersion: 1, clientName: 'test' } })
    await waitFor(loop.isIdle)
    loop.tick(50)
    expect(cases(client)).toContain('welcome')
    const zone = await createStoredZones(fixture.store).put(createZone())
    fixture.gameZones.change(zone.id, gameZoneOf(zone))
    loop.tick(100)
    expect(told(client)).toEqual([])
    await fixture.zoneWatch.check()
    loop.tick(150)
    expect(told(client)).toEqual([{ entered: { id: zone.id, name: 'Town' } }])
  })
})

it('sends the player’s commands again when a grant for a zone begins or ends', async () => {
  const { accountStore, account, zone, join, teleport } = await createScene()
  const grant = { id: 'one', permission: 'command.tp', zone: zone.id, by: 'operator', at: account.createdAt }
  await accountStore.change(account.email, (current) => ({ result: undefined, next: current && { ...current, grants: [grant] } }))
  const client = await join()
  const lists = () =>
    client.received.flatMap((message) =>
      message.$case === 'permissionsChanged' ? [message.value.commands.some(({ name }) => name === 'tp')] : [],
    )
  expect(client.find('welcome')?.commands?.some(({ name }) => name === 'tp')).toBe(false)
  teleport(20.5)
  expect(lists()).toEqual([true])
  teleport(21.5)
  expect(lists()).toEqual([true])
  teleport(0.5)
  expect(lists()).toEqual([true, false])
  client.connection.ended()
})
