import { describe, expect, it } from '@jest/globals'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import { madeChange, openTestHistory } from '../../support/history/made-changes.ts'
import { doors, type OpenOptions } from '../doors.ts'

const path = '/api/admin/worlds/north/history'
const bob = '7b1f6a52-7c1d-4a57-9a0e-5d6f0c1b2a39'
const box = 'minX=0&minY=0&minZ=0&maxX=9&maxY=255&maxZ=9'

describe.each(doors)('GET /api/admin/worlds/{world}/history through %s', (_name, openDoor) => {
  const open = async (options: OpenOptions = {}) => {
    const door = await openDoor({ routes: worldRoutes, as: 'admin', ...options })
    const world = await door.worlds.createWorld({ name: 'north' })
    const history = await openTestHistory(door.chunks, world)
    await history.keep(madeChange({ x: 3 }), madeChange({ x: 30, by: bob, via: 'feed' }))
    await history.keep(madeChange({ x: 3, from: 'stone', to: 'air', via: 'rollback', undoes: 'a-job' }))
    return door
  }

  it('lists changes newest first by box, player and time, in pages', async () => {
    const { get } = await open()
    const all = (await get(path)).body.changes
    expect(all).toEqual([
      { at: '2026-01-01T00:02:00.000Z', ...madeChange({ x: 3, from: 'stone', to: 'air', via: 'rollback' }), undoes: 'a-job' },
      { at: '2026-01-01T00:01:00.000Z', ...madeChange({ x: 30, by: bob, via: 'feed' }) },
      { at: '2026-01-01T00:01:00.000Z', ...madeChange({ x: 3 }) },
    ])
    expect((await get(`${path}?${box}`)).body).toEqual({ changes: [all[0], all[2]] })
    expect((await get(`${path}?by=${bob.toUpperCase()}`)).body).toEqual({ changes: [all[1]] })
    expect((await get(`${path}?since=2026-01-01T00:01:30Z`)).body).toEqual({ changes: [all[0]] })
    expect((await get(`${path}?until=2026-01-01T00:01:30Z&since=2020-01-01T00:00:00Z`)).body).toEqual({ changes: all.slice(1) })
    expect((await get(`${path}?since=2099-01-01T00:00:00Z`)).body).toEqual({ changes: [] })
    const first = (await get(`${path}?limit=2`)).body
    expect(first.changes).toEqual(all.slice(0, 2))
    expect((await get(`${path}?limit=2&cursor=${first.nextCursor}`)).body).toEqual({ changes: all.slice(2) })
    const whole = 'minX=-30000000&minY=0&minZ=-30000000&maxX=29999999&maxY=255&maxZ=29999999'
    expect((await get(`${path}?${whole}`)).body).toEqual({ changes: all })
  })

  it('lists the changes of a module, also with a player', async () => {
    const { get, chunks, worlds } = await open()
    const history = await openTestHistory(chunks, await worlds.getWorld('north'))
    const spleef = { via: 'module', module: 'spleef' } as const
    await history.keep(madeChange({ x: 5, by: '', ...spleef }), madeChange({ x: 6, by: bob, ...spleef }))
    await history.keep(madeChange({ x: 7, by: '', via: 'module', module: 'other' }))
    const placesOf = async (query: string) =>
      (await get(`${path}?${query}`)).body.changes.map((change: { x: number }) => change.x).sort()
    expect(await placesOf('module=spleef')).toEqual([5, 6])
    expect(await placesOf(`module=spleef&by=${bob}`)).toEqual([6])
    expect(await placesOf('module=none')).toEqual([])
    expect((await get(`${path}?module=`)).status).toBe(400)
  })

  it('refuses invalid boxes, times and cursors, and unknown worlds and zones', async () => {
    const { get } = await open()
    for (const wrong of [
      ...[
        'minX=1',
        'limit=0',
        'limit=201',
        'by=',
        'by=bob',
        'by=bob@example.com',
        'since=yesterday',
        'cursor=%00',
        'cursor=1',
        'cursor=-1.',
        'zone=x',
        'x=1',
      ],
      ...[box.replace('maxY=255', 'maxY=256'), box.replace('minX=0', 'minX=0.5'), box.replace('maxX=9', 'maxX=1e9')],
      `${box}&zone=5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7d10`,
    ])
      expect([wrong, (await get(`${path}?${wrong}`)).status]).toEqual([wrong, 400])
    expect((await get(`${path}?${box.replace('minX=0', 'minX=10')}`)).status).toBe(422)
    const empty = await get(`${path}?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z`)
    expect(empty).toMatchObject({ status: 422, body: { errors: [{ pointer: '/until' }] } })
    expect((await get(`${path}?since=2026-01-02T00:00:00Z&until=2026-01-02T00:00:00Z`)).status).toBe(200)
    expect((await get(`${path}?zone=5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7d10`)).status).toBe(404)
    expect((await get('/api/admin/worlds/nowhere/history')).status).toBe(404)
  })

  it('answers 403 to a player', async () => {
    const { get } = await open({ as: 'player' })
    expect(await get(path)).toMatchObject({ status: 403 })
  })
})
