import { describe, expect, it } from '@jest/globals'
import { jobRoutes } from '../../../functions/jobs/routes.ts'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import { pregenJob } from '../../../shared/domain/jobs/pregen.ts'
import { rollbackJob } from '../../../shared/domain/jobs/rollback.ts'
import { madeChange, openTestHistory } from '../../support/history/made-changes.ts'
import { openZoneDoor } from '../../support/zones/zone-door.ts'
import { doors } from '../doors.ts'

const history = '/api/admin/worlds/default/history'
const rollback = '/api/admin/worlds/default/rollback'
const since = '2026-01-01T00:00:00Z'
const until = '2027-01-01T00:00:00Z'

const open = async (openDoor: Parameters<typeof openZoneDoor>[0], permissions: readonly string[]) => {
  const groups = [{ name: 'player', permissions: [...permissions] }]
  const door = await openZoneDoor(openDoor, {
    routes: [...worldRoutes, ...jobRoutes],
    configs: { groups: { groups } },
    as: 'player',
  })
  const { keep } = await openTestHistory(door.chunks, await door.worlds.getWorld('default'))
  await keep(madeChange({ x: 1, y: 15 }), madeChange({ x: 20, y: 15 }))
  const { zone: other } = await door.addZone({ chunks: [{ cx: 1, cz: 0 }] })
  const { zone } = await door.addZone()
  return { ...door, zone, other }
}

describe.each(doors)('the history of a zone of one’s own through %s', (_name, openDoor) => {
  it('is readable and can be rolled back by a member with zone.history, in that zone only', async () => {
    const { get, post, zone, other, zones, people } = await open(openDoor, ['zone.history'])
    const setup = { email: 'x', via: 'http', requestId: 'x' } as never
    const dryRun = { since, until, dryRun: true }
    expect((await get(`${history}?zone=${zone.id}`)).status).toBe(403)
    await zones.changeZone(setup, zone.id, { members: [people.player.playerId] })
    expect((await get(`${history}?zone=${zone.id}`)).body.changes).toMatchObject([{ x: 1 }])
    expect((await post(rollback, { ...dryRun, zone: zone.id })).body).toMatchObject({ blocks: 1 })
    expect(await post(rollback, { since, zone: zone.id })).toMatchObject({ status: 202 })
    for (const body of [{ zone: other.id }, { by: people.player.playerId }, { zone: '5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7dff' }])
      expect([body, (await post(rollback, { ...dryRun, ...body })).status]).toEqual([body, 403])
    expect((await post(rollback, { ...dryRun, zone: zone.id, box: { minX: 0 } })).status).toBe(400)
    expect((await get(history)).status).toBe(403)
    expect((await get(`${history}?zone=${other.id}`)).body.detail).toContain('admin.history.read')
  })

  it('shows and cancels a rollback that the member started, and no other job', async () => {
    const { get, post, request, zone, zones, people, deps, worlds } = await open(openDoor, ['zone.history'])
    const setup = { email: 'x', playerId: 'x', via: 'http', requestId: 'x' } as never
    await zones.changeZone(setup, zone.id, { members: [people.player.playerId] })
    const { body: started } = await post(rollback, { since, zone: zone.id })
    expect(started).toMatchObject({ world: 'default', zone: zone.id })
    const { id } = started
    const world = await worlds.getWorld('default')
    const others = [
      (await deps.jobs.start(setup, rollbackJob(world, { since: 0, until: 1 }))).id,
      (await deps.jobs.start({ ...people.player, via: 'http', requestId: 'x' }, pregenJob(world, { radius: 1 }))).id,
      deps.ids.uuid(),
    ]
    for (const other of others) {
      const path = `/api/admin/jobs/${other}`
      expect([(await get(path)).status, (await request('DELETE', path)).status]).toEqual([403, 403])
    }
    expect((await get(`/api/admin/jobs/${id}`)).body).toMatchObject({ kind: 'rollback', state: 'queued' })
    expect((await get('/api/admin/jobs')).status).toBe(403)
    expect((await request('DELETE', `/api/admin/jobs/${id}`)).status).toBe(204)
    expect((await get(`/api/admin/jobs/${id}`)).body).toMatchObject({ state: 'cancelled' })
  })

  it('shows and cancels a rollback started with a grant for that zone', async () => {
    const { get, post, request, zone, zones, people, accountStore } = await open(openDoor, [])
    const setup = { email: 'x', playerId: 'x', via: 'http', requestId: 'x' } as never
    await zones.changeZone(setup, zone.id, { members: [people.player.playerId] })
    const grant = { id: 'one', permission: 'zone.history', zone: zone.id, by: 'operator' }
    await accountStore.change(people.player.email, (current) => ({
      result: undefined,
      next: current && { ...current, grants: [{ ...grant, at: current.createdAt }] },
    }))
    const { status, body } = await post(rollback, { since, zone: zone.id })
    expect(status).toBe(202)
    expect((await get(`/api/admin/jobs/${body.id}`)).body).toMatchObject({ kind: 'rollback', state: 'queued' })
    expect((await request('DELETE', `/api/admin/jobs/${body.id}`)).status).toBe(204)
  })

  it('is closed to a member without the permission', async () => {
    const { get, zone, zones, people } = await open(openDoor, [])
    const setup = { email: 'x', via: 'http', requestId: 'x' } as never
    await zones.changeZone(setup, zone.id, { members: [people.player.playerId] })
    expect((await get(`${history}?zone=${zone.id}`)).status).toBe(403)
  })
})
