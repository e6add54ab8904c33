import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../functions/all-routes.ts'
import type { AccountGrant } from '../../../shared/domain/permissions/account-grant.ts'
import { tellPlayers } from '../../../shared/domain/players/online-players.ts'
import type { PlayerOrder } from '../../../shared/domain/players/player-orders.ts'
import { openZoneDoor } from '../../support/zones/zone-door.ts'
import { doors, type OpenDoor } from '../doors.ts'

const path = '/api/admin/players'
const position = { x: 1.5, y: 64, z: -3, yaw: 90, pitch: 0 }
const playerOf = (name: string, world = 'default', since = '2026-01-01T00:00:00.000Z') => ({
  playerId: `id-${name}`,
  email: `${name}@example.com`,
  displayName: name,
  world,
  position,
  since,
})

/** A node with these players that follows orders. Returns the orders it received. */
const openNode = async ({ nodeReports, events }: OpenDoor, names: readonly string[], outcome: 'done' | 'no-target' = 'done') => {
  const orders: { readonly playerId: string; readonly order: PlayerOrder }[] = []
  await tellPlayers(
    nodeReports,
    'node-1',
    names.map((name) => playerOf(name)),
  )
  await events.subscribe('player-order', ({ id, playerId, order }) => {
    orders.push({ playerId, order })
    return events.publish('player-ordered', { id, playerId, outcome })
  })
  return orders
}

describe.each(doors)('players through %s', (_name, open) => {
  it('of all nodes are listed by name, each once, at their latest node', async () => {
    const door = await open({ as: 'admin' })
    await tellPlayers(door.nodeReports, 'a', [
      { ...playerOf('cid'), pingMs: 42 },
      playerOf('ann', 'default', '2026-01-01T00:00:02.000Z'),
    ])
    await tellPlayers(door.nodeReports, 'b', [playerOf('ann', 'arena', '2026-01-01T00:00:01.000Z'), playerOf('ben', 'arena')])
    await door.nodeReports.tell('players', 'c', 'of another version')
    const { status, body } = await door.get(path)
    expect(status).toBe(200)
    expect(body.players).toEqual([
      { ...playerOf('ann', 'default', '2026-01-01T00:00:02.000Z'), node: 'a' },
      { ...playerOf('ben', 'arena'), node: 'b' },
      { ...playerOf('cid'), pingMs: 42, node: 'a' },
    ])
    expect((await door.get(`${path}?world=arena`)).body.players).toHaveLength(1)
    expect((await door.get(`${path}?world=nowhere`)).body).toEqual({ players: [] })
  })

  it('are listed in pages', async () => {
    const door = await open({ as: 'admin' })
    await openNode(door, ['cid', 'ann', 'ben'])
    const first = await door.get(`${path}?limit=2`)
    expect(first.body.players.map(({ displayName }: { displayName: string }) => displayName)).toEqual(['ann', 'ben'])
    const rest = await door.get(`${path}?limit=2&cursor=${first.body.nextCursor}`)
    expect(rest.body).toEqual({ players: [{ ...playerOf('cid'), node: 'node-1' }] })
    for (const wrong of ['cursor=x', 'cursor=e30', 'cursor=bnVsbA', 'limit=0', 'limit=201', 'y=1', `world=${'w'.repeat(65)}`])
      expect([wrong, (await door.get(`${path}?${wrong}`)).status]).toEqual([wrong, 400])
  })

  it.each([
    ['kick', { reason: 'spam' }, { kind: 'kick', reason: 'spam' }, null, { reason: 'spam' }],
    ['kick', {}, { kind: 'kick', reason: 'Kicked by admin.' }, null, { reason: 'Kicked by admin.' }],
    [
      'message',
      { text: `a\u202eb Z${'\u0335'.repeat(40)}` },
      { kind: 'message', text: `ab Z${'\u0335'.repeat(8)}`, from: 'admin', fromId: expect.any(String) },
      null,
      { text: `ab Z${'\u0335'.repeat(8)}`, from: 'admin' },
    ],
    ['kick', { reason: 'sp\u202eam' }, { kind: 'kick', reason: 'spam' }, null, { reason: 'spam' }],
    [
      'message',
      { text: 'hello' },
      { kind: 'message', text: 'hello', from: 'admin', fromId: expect.any(String) },
      null,
      { text: 'hello', from: 'admin' },
    ],
    [
      'teleport',
      { x: 0.5, y: 70, z: 1 },
      { kind: 'teleport', to: { x: 0.5, y: 70, z: 1 } },
      { world: 'default', position },
      { world: 'default', to: { x: 0.5, y: 70, z: 1 } },
    ],
    [
      'teleport',
      { playerId: 'id-ben' },
      { kind: 'teleport', to: { playerId: 'id-ben' } },
      { world: 'default', position },
      { world: 'default', to: { playerId: 'id-ben' } },
    ],
  ])('%s with %j is done by the node and audited', async (what, body, order, before, after) => {
    const door = await open({ as: 'admin' })
    const orders = await openNode(door, ['ann', 'ben'])
    expect((await door.post(`${path}/id-ann/${what}`, body)).status).toBe(204)
    expect(orders).toEqual([{ playerId: 'id-ann', order }])
    const [entry] = (await door.get('/api/admin/audit')).body.entries
    expect(entry).toMatchObject({ action: `player.${what}`, target: 'ann@example.com', actor: 'admin@example.com', via: 'http' })
    expect([entry.before, entry.after]).toEqual([before, after])
  })

  it.each(['message', 'teleport'])('each %s by the same caller within ten seconds is in one audit entry', async (what) => {
    const door = await open({ as: 'admin' })
    await openNode(door, ['ann', 'ben'])
    const body = what === 'message' ? { text: 'hello' } : { x: 1, y: 70, z: 1 }
    for (const [name, id] of [
      ['ann', 'one'],
      ['ann', 'two'],
      ['ben', 'two'],
    ] as const)
      expect((await door.post(`${path}/id-${name}/${what}`, body, { 'x-request-id': id })).status).toBe(204)
    for (const query of ['', '?requestId=one', '?requestId=two', '?target=ben@example.com'])
      expect((await door.get(`/api/admin/audit${query}`)).body.entries).toMatchObject([
        {
          action: `player.${what}`,
          target: 'ann@example.com',
          requestId: 'one',
          count: 3,
          more: [{ requestId: 'two' }, { requestId: 'two', target: 'ben@example.com' }],
        },
      ])
  })

  it.each([
    ['kick', { reason: '' }, 400],
    ['kick', { reason: 'a\nb' }, 400],
    ['kick', { why: 'spam' }, 400],
    ['message', {}, 400],
    ['message', { text: 'x'.repeat(501) }, 400],
    ['teleport', {}, 400],
    ['teleport', { x: 1, y: 2 }, 400],
    ['teleport', { x: 1e9, y: 2, z: 3 }, 400],
    ['teleport', { x: 1, y: 513, z: 3 }, 400],
    ['teleport', { x: 1, y: 2, z: 3, playerId: 'id-ben' }, 400],
    ['teleport', { playerId: 'nobody' }, 404],
    ['teleport', { playerId: 'id-far' }, 409],
  ])('%s with %j answers %i, reaches no node and is not audited', async (what, body, status) => {
    const door = await open({ as: 'admin' })
    const orders = await openNode(door, ['ann', 'ben'])
    await tellPlayers(door.nodeReports, 'node-2', [playerOf('far', 'arena')])
    expect((await door.post(`${path}/id-ann/${what}`, body)).status).toBe(status)
    expect(orders).toEqual([])
    expect((await door.get('/api/admin/audit')).body.entries).toEqual([])
  })

  it('are awaited while their node has not listed them yet', async () => {
    const door = await open({ as: 'admin' })
    const orders = await openNode(door, ['ann'])
    const answers = [
      door.post(`${path}/id-ben/message`, { text: 'hello' }),
      door.post(`${path}/id-ann/teleport`, { playerId: 'id-ben' }),
    ]
    await sleep(80)
    await tellPlayers(door.nodeReports, 'node-1', [playerOf('ann'), playerOf('ben')])
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 204])
    expect(orders).toHaveLength(2)
  })

  /** A caller only in the group `player`, with these grants, on a server with a zone at the origin. */
  const openGranted = async (grants: readonly Partial<AccountGrant>[]) => {
    const door = await openZoneDoor(open, { routes: allRoutes, as: 'player' })
    const { zone } = await door.addZone()
    await door.accountStore.change('player@example.com', (current) => ({
      result: undefined,
      next: current && {
        ...current,
        grants: grants.map((grant, at) => ({
          ...grant,
          id: `g${at}`,
          by: 'operator',
          at: current.createdAt,
          ...(grant.zone !== undefined && { zone: zone.id }),
        })),
      },
    }))
    return { door, zone }
  }

  it.each([
    ['admin.players.kick', [204, 403, 403]],
    ['admin.players.message', [403, 204, 403]],
    ['admin.players.teleport', [403, 403, 204]],
    ['admin.players.write', [204, 204, 204]],
    ['admin.players.*', [204, 204, 204]],
    ['admin.players.read', [403, 403, 403]],
  ])('%s allows exactly what it names', async (permission, statuses) => {
    const { door } = await openGranted([{ permission }])
    await openNode(door, ['ann'])
    const answers = [
      await door.post(`${path}/id-ann/kick`, {}),
      await door.post(`${path}/id-ann/message`, { text: 'hello' }),
      await door.post(`${path}/id-ann/teleport`, { x: 0, y: 70, z: 0 }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(statuses)
  })

  it('in a zone can be kicked with a grant for that zone only', async () => {
    const { door, zone } = await openGranted([{ permission: 'admin.players.kick', zone: 'that' }])
    const inside = { ...position, x: (zone.chunks[0]?.cx ?? 0) * 16 + 1, y: zone.yMin, z: (zone.chunks[0]?.cz ?? 0) * 16 + 1 }
    const orders = await openNode(door, [])
    const stand = (at: typeof position) =>
      tellPlayers(door.nodeReports, 'node-1', [{ ...playerOf('ann', zone.world), position: at }])
    await stand({ ...inside, y: zone.yMax + 5 })
    expect((await door.post(`${path}/id-ann/kick`, {})).status).toBe(403)
    await stand(inside)
    expect((await door.post(`${path}/id-ann/kick`, {})).status).toBe(204)
    expect((await door.post(`${path}/id-ann/message`, { text: 'hello' })).status).toBe(403)
    expect((await door.post(`${path}/nobody/kick`, {})).status).toBe(403)
    expect(orders).toHaveLength(1)
  })

  it('with a permission that the caller lacks cannot be kicked', async () => {
    const { door } = await openGranted([{ permission: 'admin.players.kick' }])
    const { admin } = door.people
    const orders = await openNode(door, [])
    await tellPlayers(door.nodeReports, 'node-1', [{ ...playerOf('admin'), playerId: admin.playerId }])
    const refused = await door.post(`${path}/${admin.playerId}/kick`, {})
    expect([refused.status, refused.body.type]).toEqual([403, '/problems/beyond-own-permissions'])
    expect(orders).toEqual([])
    // An unverified player with the email of the administrator.
    const stranger = { ...playerOf('admin'), playerId: admin.playerId, limited: true as const }
    await tellPlayers(door.nodeReports, 'node-1', [stranger])
    expect((await door.post(`${path}/${admin.playerId}/kick`, {})).status).toBe(204)
    expect(orders).toHaveLength(1)
  })

  it('answer 404 when they are offline', async () => {
    const door = await open({ as: 'admin' })
    for (const [what, body] of [
      ['kick', {}],
      ['message', { text: 'hello' }],
      ['teleport', { x: 0, y: 70, z: 0 }],
    ] as const)
      expect((await door.post(`${path}/nobody/${what}`, body)).status).toBe(404)
  })

  it('answer 409 when the target player left the world', async () => {
    const door = await open({ as: 'admin' })
    await openNode(door, ['ann', 'ben'], 'no-target')
    expect((await door.post(`${path}/id-ann/teleport`, { playerId: 'id-ben' })).status).toBe(409)
  })

  it('answer 404 or 503 when no node responds: 404 once the player has left', async () => {
    const door = await open({ as: 'admin' })
    await tellPlayers(door.nodeReports, 'node-1', [playerOf('ann'), playerOf('ben')])
    expect((await door.post(`${path}/id-ann/kick`, {})).status).toBe(503)
    const leaving = door.post(`${path}/id-ben/kick`, {})
    await door.events.subscribe('player-order', () => tellPlayers(door.nodeReports, 'node-1', [playerOf('ann')]))
    expect((await leaving).status).toBe(404)
  })
})
