import { afterEach, describe, expect, it } from '@jest/globals'
import { type JobContext, type JobKind, jobRecords, worldPlace } from '../../../../shared/domain/jobs/job.ts'
import { createJobRunner, type JobRunner } from '../../../../shared/domain/jobs/job-runner.ts'
import { createJobService, type NewJob, operatorActor } from '../../../../shared/domain/jobs/job-service.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { systemIds as ids } from '../../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../shared/platform/storage/store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { createCapturedLog } from '../../../support/time/silent-log.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

const jobsKeptMax = 200

const openJobsMax = 20

const place = worldPlace('6e6f7468-0000-4000-8000-000000000001')
const actor = operatorActor('test')
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const newJob = (input: unknown = {}, kind = 'dig'): NewJob => ({
  kind,
  place,
  input,
  permission: 'admin.worlds.write',
  detail: 'Waits.',
  audit: { action: 'world.dig', target: 'north', after: { deep: true } },
})

const createStage = (store: Store = createMemoryStore()) => {
  const { log } = createCapturedLog()
  const clock = createFixedClock()
  const events = createMemoryEventBus({ log })
  const jobs = createJobService({ store, events, clock, ids })
  const run = (kinds: readonly JobKind[]): JobRunner => {
    const runner = createJobRunner({ store, events, clock, ids, log, place, kinds, beatMs: 5, lookMs: 60_000 })
    ends.push(runner.close)
    return runner
  }
  const state = async (id: string) => (await jobs.getJob(id)).state
  const whenOver = async (id: string) => {
    await waitFor(async () => !['queued', 'running'].includes(await state(id)))
    return jobs.getJob(id)
  }
  return { store, jobs, run, state, whenOver }
}

/** A job kind whose runs are ended by the test. */
const createDig = (afterCrash: JobKind['afterCrash'] = 'go-on') => {
  const runs: { context: JobContext; end: (detail: string) => void; fail: (error: unknown) => void }[] = []
  const kind: JobKind = {
    kind: 'dig',
    lane: 'blocks',
    afterCrash,
    run: (context) =>
      new Promise((resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason))
        runs.push({ context, end: (detail) => resolve({ detail, result: { dug: 7 } }), fail: reject })
      }),
  }
  return { kind, runs }
}

describe('a job', () => {
  it('is stored with its audit entry before it runs, and is first in the list', async () => {
    const { jobs, store } = createStage()
    const first = await jobs.start(actor, newJob())
    const second = await jobs.start(actor, newJob())
    expect(first).toEqual({
      id: first.id,
      kind: 'dig',
      state: 'queued',
      progress: 0,
      detail: 'Waits.',
      by: 'operator',
      startedAt: '2026-01-01T00:00:00.000Z',
    })
    const page = await jobs.listJobs({ limit: 1 })
    expect(page.jobs).toEqual([second])
    expect((await jobs.listJobs({ limit: 1, cursor: page.nextCursor ?? '' })).jobs).toEqual([first])
    const { records } = await store.list({ name: 'audit', parse: (value) => value }, { prefix: 'all/' })
    const auditFields = { action: 'world.dig', target: 'north' }
    expect(records.map(({ value }) => value)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...auditFields, after: { job: first.id, deep: true } }),
        expect.objectContaining({ ...auditFields, after: { job: second.id, deep: true } }),
      ]),
    )
  })

  it('runs at its place, reports progress, and ends with its result', async () => {
    const { jobs, run, state, whenOver } = createStage()
    const { kind, runs } = createDig()
    const { id } = await jobs.start(actor, newJob({ radius: 3 }))
    run([kind])
    await waitFor(() => runs.length === 1)
    expect(runs[0]?.context).toMatchObject({ input: { radius: 3 }, kept: undefined, job: { id, by: 'operator' } })
    runs[0]?.context.tell({ progress: 0.5, detail: 'Half is dug.' })
    await waitFor(async () => (await jobs.getJob(id)).detail === 'Half is dug.')
    expect(await state(id)).toBe('running')
    runs[0]?.end('All is dug.')
    expect(await whenOver(id)).toMatchObject({ state: 'done', progress: 1, detail: 'All is dug.', result: { dug: 7 } })
    expect((await jobs.getJob(id)).finishedAt).toBeDefined()
  })

  it('waits for a runner of its kind and place; one lane runs one job at a time', async () => {
    const { jobs, run, state, whenOver } = createStage()
    const { kind, runs } = createDig()
    run([kind])
    const other = await jobs.start(actor, newJob({}, 'fly'))
    const elsewhere = await jobs.start(actor, { ...newJob(), place: 'data' })
    const first = await jobs.start(actor, newJob())
    const second = await jobs.start(actor, newJob())
    await waitFor(() => runs.length === 1)
    expect(await Promise.all([other, elsewhere, first, second].map(({ id }) => state(id)))).toEqual([
      ...['queued', 'queued', 'running', 'queued'],
    ])
    runs[0]?.end('Done.')
    await waitFor(() => runs.length === 2)
    runs[1]?.end('Done.')
    expect(await whenOver(second.id)).toMatchObject({ state: 'done' })
  })

  it('fails with the reason and the partial result; internal causes are only logged', async () => {
    const { jobs, run, whenOver } = createStage()
    const { kind, runs } = createDig()
    run([kind])
    const full = await jobs.start(actor, newJob())
    await waitFor(() => runs.length === 1)
    runs[0]?.context.tell({ progress: 0.25, detail: '1 of 4 is dug.', result: { dug: 1 } })
    runs[0]?.fail(new AppError('unavailable', 'storage-full', 'The disk is full.'))
    expect(await whenOver(full.id)).toMatchObject({
      state: 'failed',
      detail: 'The disk is full. 1 of 4 is dug.',
      progress: 0.25,
      result: { dug: 1 },
    })
    const odd = await jobs.start(actor, newJob())
    await waitFor(() => runs.length === 2)
    runs[1]?.fail(new Error('/secret/path'))
    expect((await whenOver(odd.id)).detail).toBe('Something went wrong. See the log of the server. Waits.')
  })

  it('ends with its last report when it fails while that is being written', async () => {
    const memory = createMemoryStore()
    let gate: Promise<void> | undefined
    let isWriting = false
    const commit: Store['commit'] = async (writes) => {
      isWriting = gate !== undefined
      await gate
      return memory.commit(writes)
    }
    const { jobs, run, whenOver } = createStage({ ...memory, commit })
    const { kind, runs } = createDig()
    run([kind])
    const { id } = await jobs.start(actor, newJob())
    await waitFor(() => runs.length === 1)
    let open = () => {}
    gate = new Promise((resolve) => {
      open = resolve
    })
    runs[0]?.context.tell({ progress: 0.5, detail: 'Half is dug.' })
    await waitFor(() => isWriting)
    runs[0]?.fail(new AppError('unavailable', 'storage-full', 'The disk is full.'))
    await new Promise((resolve) => setImmediate(resolve))
    open()
    expect(await whenOver(id)).toMatchObject({ state: 'failed', progress: 0.5, detail: 'The disk is full. Half is dug.' })
  })

  it('is cancelled at once while it waits, and soon while it runs, with its partial result', async () => {
    const { jobs, run, whenOver } = createStage()
    const { kind, runs } = createDig()
    const waiting = await jobs.start(actor, newJob())
    await jobs.cancel(actor, waiting.id)
    expect(await jobs.getJob(waiting.id)).toMatchObject({ state: 'cancelled', detail: 'It was cancelled before it began.' })
    run([kind])
    const { id } = await jobs.start(actor, newJob())
    await waitFor(() => runs.length === 1)
    await runs[0]?.context.keep({ rows: 2 }, { progress: 0.5, detail: 'Half is dug.', result: { dug: 3 } })
    await jobs.cancel(actor, id)
    await jobs.cancel(actor, id)
    const over = await whenOver(id)
    expect(over).toMatchObject({ state: 'cancelled', detail: 'It was cancelled. Half is dug.', result: { dug: 3 } })
    await jobs.cancel(actor, id)
    expect(await jobs.getJob(id)).toEqual(over)
    await expect(jobs.cancel(actor, ids.uuid())).rejects.toMatchObject({ kind: 'not-found' })
    await expect(jobs.getJob('../etc')).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('waits for the next runner when its own is closed, and continues from its state', async () => {
    const { jobs, run, state, whenOver } = createStage()
    const { kind, runs } = createDig('fail')
    const runner = run([kind])
    const { id } = await jobs.start(actor, newJob())
    await waitFor(() => runs.length === 1)
    await runs[0]?.context.keep({ rows: 2 })
    await runner.close()
    expect(await state(id)).toBe('queued')
    run([kind])
    await waitFor(() => runs.length === 2)
    expect(runs[1]?.context.kept).toEqual({ rows: 2 })
    runs[1]?.end('Done.')
    expect(await whenOver(id)).toMatchObject({ state: 'done' })
  })

  it('reports its partial result when it is cancelled while it waits again', async () => {
    const { jobs, run } = createStage()
    const { kind, runs } = createDig()
    const runner = run([kind])
    const { id } = await jobs.start(actor, newJob())
    await waitFor(() => runs.length === 1)
    runs[0]?.context.tell({ progress: 0.4, detail: '4 of 10 are dug.' })
    await runner.close()
    await jobs.cancel(actor, id)
    expect(await jobs.getJob(id)).toMatchObject({ state: 'cancelled', detail: 'It was cancelled. 4 of 10 are dug.' })
  })

  it.each(['go-on', 'fail'] as const)('is handled by its kind after its runner was killed: %s', async (afterCrash) => {
    const { store, jobs, run, whenOver } = createStage()
    const { kind, runs } = createDig(afterCrash)
    const { id } = await jobs.start(actor, newJob())
    const record = await store.get(jobRecords, id)
    if (record === undefined) throw new Error('There is no record.')
    const dead = { state: 'running', runner: 'dead', kept: { rows: 5 }, detail: '5 rows are dug.' } as const
    await store.put(jobRecords, id, { ...record.value, ...dead })
    run([kind])
    if (afterCrash === 'go-on') {
      await waitFor(() => runs.length === 1)
      expect(runs[0]?.context.kept).toEqual({ rows: 5 })
      runs[0]?.end('Done.')
      expect(await whenOver(id)).toMatchObject({ state: 'done' })
    } else {
      expect(await whenOver(id)).toMatchObject({ state: 'failed', detail: 'The server stopped while it ran. 5 rows are dug.' })
      expect(runs).toEqual([])
    }
  })

  it('is released by a replaced runner, which then writes no state and no end', async () => {
    const { store, jobs, run } = createStage()
    const { kind, runs } = createDig()
    run([kind])
    const { id } = await jobs.start(actor, newJob())
    await waitFor(() => runs.length === 1)
    const record = await store.get(jobRecords, id)
    if (record === undefined) throw new Error('There is no record.')
    await store.put(jobRecords, id, { ...record.value, runner: 'successor' })
    await expect(runs[0]?.context.keep({ rows: 1 })).rejects.toMatchObject({ kind: 'conflict' })
    expect(runs[0]?.context.signal.aborted).toBe(true)
    expect((await store.get(jobRecords, id))?.value).toMatchObject({ state: 'running', runner: 'successor' })
  })

  it('is released at once by a runner that is closed just as another replaces it', async () => {
    const { store, jobs, run } = createStage()
    const { kind, runs } = createDig()
    const runner = run([kind])
    const { id } = await jobs.start(actor, newJob())
    await waitFor(() => runs.length === 1)
    const record = await store.get(jobRecords, id)
    if (record === undefined) throw new Error('There is no record.')
    const taken = store.put(jobRecords, id, { ...record.value, runner: 'successor' })
    const closed = runner.close()
    await taken
    await closed
    expect((await store.get(jobRecords, id))?.value).toMatchObject({ state: 'running', runner: 'successor' })
  })

  it('is refused above the limit of waiting jobs, and old ones are removed', async () => {
    const { store, jobs } = createStage()
    const first = await jobs.start(actor, newJob())
    for (let more = 1; more < openJobsMax; more += 1) await jobs.start(actor, newJob())
    await expect(jobs.start(actor, newJob())).rejects.toMatchObject({ kind: 'conflict', slug: 'too-many-jobs' })
    for (let n = 0; n < jobsKeptMax; n += 1) {
      const { id } = await jobs.start(actor, { ...newJob(), place: 'data' })
      await jobs.cancel(actor, id)
    }
    const { records } = await store.list(jobRecords, { limit: 1000 })
    expect(records).toHaveLength(jobsKeptMax + openJobsMax)
    await jobs.cancel(actor, first.id)
    await jobs.start(actor, { ...newJob(), place: 'data' })
    await expect(jobs.getJob(first.id)).rejects.toMatchObject({ kind: 'not-found' })
  })
})
