import { describe, expect, it } from '@jest/globals'
import { pregenRadiusMax } from '../../../shared/domain/jobs/pregen.ts'
import { doors } from '../doors.ts'

const path = '/api/admin/jobs'
const pregen = '/api/admin/worlds/north/pregen'

describe.each(doors)('jobs through %s', (_name, open) => {
  it('are started, listed, shown and cancelled, each audited', async () => {
    const { worlds, people, get, post, del, deps } = await open({ as: 'admin' })
    await worlds.createWorld({ name: 'north' })
    const { status, body: job, headers } = await post(pregen, { radius: 3 })
    expect([status, headers.location]).toEqual([202, `${path}/${job.id}`])
    expect(job).toMatchObject({
      kind: 'pregen',
      state: 'queued',
      progress: 0,
      world: 'north',
      by: people.admin.playerId,
      detail: 'Waits for the node that runs the world "north".',
    })
    expect((await get(`${path}/${job.id}`)).body).toEqual(job)
    expect((await get(path)).body).toEqual({ jobs: [job] })
    expect((await del(`${path}/${job.id}`)).status).toBe(204)
    expect((await del(`${path}/${job.id}`)).status).toBe(204)
    expect((await get(`${path}/${job.id}`)).body).toMatchObject({ state: 'cancelled' })
    const { entries } = await deps.audit.listEntries({ limit: 10 })
    expect(entries.map(({ action, target }) => `${action} ${target}`).sort()).toEqual([
      `job.cancel ${job.id}`,
      'world.create north',
      'world.pregen north',
    ])
  })

  it('are refused for a missing world, an invalid radius, above the limit, and an unknown id', async () => {
    const { worlds, get, post, del } = await open({ as: 'admin' })
    expect((await post(pregen, { radius: 1 })).status).toBe(404)
    await worlds.createWorld({ name: 'north' })
    for (const wrong of [{}, { radius: -1 }, { radius: pregenRadiusMax + 1 }, { radius: 1.5 }, { radius: 1, x: 1 }])
      expect([wrong, (await post(pregen, wrong)).status]).toEqual([wrong, 400])
    for (let n = 0; n < 20; n += 1) expect((await post(pregen, { radius: 0 })).status).toBe(202)
    expect((await post(pregen, { radius: 0 })).body).toMatchObject({ status: 409, type: '/problems/too-many-jobs' })
    for (const id of ['x', 'e2b0a3a2-0000-4000-8000-000000000000', '%00', '..%2Fusers']) {
      expect([id, (await get(`${path}/${id}`)).status]).toEqual([id, 404])
      expect([id, (await del(`${path}/${id}`)).status]).toEqual([id, 404])
    }
    const first = await get(`${path}?limit=15`)
    const rest = await get(`${path}?limit=15&cursor=${first.body.nextCursor}`)
    expect([first.body.jobs.length, rest.body.jobs.length, rest.body.nextCursor]).toEqual([15, 5, undefined])
    for (const wrong of ['cursor=x', 'limit=0', 'limit=201', 'y=1'])
      expect([wrong, (await get(`${path}?${wrong}`)).status]).toEqual([wrong, 400])
  })

  it('are cancelled only by callers with the permission to start them', async () => {
    const watcher = [{ name: 'player', permissions: ['admin.jobs.read'] }]
    const { worlds, post, issueToken, request } = await open({ as: 'admin', configs: { groups: { groups: watcher } } })
    await worlds.createWorld({ name: 'north' })
    const { id } = (await post(pregen, { radius: 3 })).body
    const headers = { authorization: `Bearer ${await issueToken('player')}` }
    expect((await request('GET', `${path}/${id}`, { headers })).status).toBe(200)
    const refused = await request('DELETE', `${path}/${id}`, { headers })
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('admin.worlds.write')])
  })
})
