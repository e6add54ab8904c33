import { describe, expect, it } from '@jest/globals'
import { allRoutes } from '../../../functions/all-routes.ts'
import { jobRoutes } from '../../../functions/jobs/routes.ts'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import { jobRecords, type StoredJob } from '../../../shared/domain/jobs/job.ts'
import { jobWrites } from '../../../shared/domain/jobs/job-service.ts'
import { madeChange, openTestHistory } from '../../support/history/made-changes.ts'
import { doors, type OpenOptions } from '../doors.ts'

const path = '/api/admin/worlds/north/rollback'
const since = '2026-01-01T00:00:00Z'
const until = '2027-01-01T00:00:00Z'
const ann = '1c0f6a52-7c1d-4a57-9a0e-5d6f0c1b2a39'
const bob = '7b1f6a52-7c1d-4a57-9a0e-5d6f0c1b2a39'
const box = { minX: 0, minY: 0, minZ: 0, maxX: 9, maxY: 255, maxZ: 9 }

describe.each(doors)('POST /api/admin/worlds/{world}/rollback through %s', (_name, openDoor) => {
  const open = async (options: OpenOptions = {}) => {
    const door = await openDoor({ routes: [...worldRoutes, ...jobRoutes], as: 'admin', ...options })
    const world = await door.worlds.createWorld({ name: 'north' })
    const history = await openTestHistory(door.chunks, world)
    await history.keep(madeChange({ x: 3, by: ann }), madeChange({ x: 30, by: bob }))
    await history.keep(madeChange({ x: 3, by: bob, from: 'stone', to: 'glass' }))
    return door
  }

  it('counts changes in a dry run, and starts an audited job', async () => {
    const { post, deps } = await open()
    const dry = async (body: object) => (await post(path, { since, until, dryRun: true, ...body })).body
    expect(await dry({ by: ann })).toEqual({ changes: 0, blocks: 0, columns: 0, skipped: 1 })
    expect(await dry({ by: bob })).toEqual({ changes: 2, blocks: 2, columns: 2, skipped: 0 })
    expect(await dry({ box })).toEqual({ changes: 2, blocks: 1, columns: 1, skipped: 0 })
    expect(await dry({ module: 'shop' })).toMatchObject({ changes: 0 })
    expect((await deps.jobs.listJobs({ limit: 5 })).jobs).toEqual([])
    const started = await post(path, { since, until, by: bob })
    expect(started).toMatchObject({ status: 202, body: { kind: 'rollback', state: 'queued', world: 'north' } })
    expect(started.body.zone).toBeUndefined()
    expect(started.headers.location).toBe(`/api/admin/jobs/${started.body.id}`)
    const { entries } = await deps.audit.listEntries({ limit: 10 })
    const entry = entries.find(({ action }) => action === 'world.rollback')
    expect(entry).toMatchObject({ target: 'north', after: { job: started.body.id, by: bob } })
  })

  it('can be undone once: while a job does that, another is refused', async () => {
    const { post, deps, store, worlds, chunks } = await open({ routes: allRoutes })
    const { body: job } = await post(path, { since, until, by: bob })
    const world = await worlds.getWorld('north')
    const record = await store.get(jobRecords, job.id)
    if (record === undefined) throw new Error('the job is missing')
    const done: StoredJob = { ...record.value, state: 'done', finishedAt: job.startedAt }
    await store.commit(jobWrites(record, done))
    const history = await openTestHistory(chunks, world)
    await history.keep(madeChange({ x: 30, by: 'admin', via: 'rollback', from: 'stone', to: 'air', undoes: job.id }))
    const { entries } = await deps.audit.listEntries({ limit: 10 })
    const undo = `/api/admin/audit/${entries.find(({ action }) => action === 'world.rollback')?.id}/undo`
    expect((await post(undo)).body.restored).toMatchObject({ kind: 'rollback', state: 'queued' })
    const again = await post(undo)
    expect([again.status, again.body.type]).toEqual([422, '/problems/not-undoable'])
    expect(again.body.detail).toContain('is already undoing it')
  })

  it('refuses a whole world, two areas, empty times and boxes, and missing targets', async () => {
    const { post } = await open()
    const zone = '5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7d10'
    const cases = [
      ...[
        { since },
        { box },
        { since: 'yesterday', box },
        { since, box, zone },
        { since, by: '' },
        { since, by: 'ann' },
        { since, by: ann, x: 1 },
      ],
      ...[
        { since, box: { ...box, minX: 0.5 } },
        { since, box: { minX: 1 } },
        { since, box: { ...box, maxX: 1e9 } },
      ],
    ]
    for (const wrong of cases) expect([wrong, (await post(path, wrong)).status]).toEqual([wrong, 400])
    expect((await post(path, { since, box: { ...box, minX: 10 } })).status).toBe(422)
    expect((await post(path, { since: until, until: since, box })).status).toBe(422)
    expect((await post(path, { since, zone })).status).toBe(404)
    expect((await post('/api/admin/worlds/nowhere/rollback', { since, box })).status).toBe(404)
    const wide = { ...box, minX: -500_000, maxX: 500_000, minZ: -500_000, maxZ: 500_000 }
    expect((await post(path, { since: '2026-01-01T00:00:00Z', box: wide, dryRun: true })).status).toBe(200)
    expect((await post(path, { since: '2099-01-01T00:00:00Z', box, dryRun: true })).body).toMatchObject({ changes: 0 })
  })

  it('answers 403 to a player', async () => {
    const { post } = await open({ as: 'player' })
    expect(await post(path, { since, box })).toMatchObject({ status: 403 })
  })
})
