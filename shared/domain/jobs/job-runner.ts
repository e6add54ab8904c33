import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import { createSerialQueue } from '../../kernel/queue.ts'
import { repeat } from '../../kernel/repeat.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { StoredRecord } from '../../platform/storage/store.ts'
import { type JobKind, jobRecords, openJobs, type StoredJob } from './job.ts'
import { beatMsDefault, type RunJobDeps, type RunningJob, runJob, writeJob } from './run-job.ts'

export type JobRunnerDeps = Omit<RunJobDeps, 'runner' | 'beatMs'> & {
  readonly events: EventBus
  readonly ids: Pick<Ids, 'uuid'>
  /** The place of the jobs. No other process may have a runner for it at the same time. */
  readonly place: string
  /** The kinds that this runner can run; other jobs wait. */
  readonly kinds: readonly JobKind[]
  /** Whether this process still owns the place; true when absent. */
  readonly isHeld?: () => boolean
  /** A second when absent. */
  readonly beatMs?: number
  /** How often to look for jobs without an event; five seconds when absent. */
  readonly lookMs?: number
}

/** Runs the jobs of one place. Jobs that a crash cut short come first. */
export type JobRunner = {
  /** Starts waiting jobs and stops cancelled ones. Never rejects. */
  look(): Promise<void>
  /** Resolves when nothing runs here. Unfinished jobs wait for the next runner. */
  close(): Promise<void>
}

const readAtOnce = 1000

/** The end of a job of a dead runner; undefined if the job is to run. */
const takenOver = (job: StoredJob, kind: JobKind, at: string): StoredJob | undefined => {
  if (job.isCancelWanted) return { ...job, state: 'cancelled', finishedAt: at, detail: `It was cancelled. ${job.detail}` }
  if (job.state !== 'running' || kind.afterCrash === 'go-on') return undefined
  return { ...job, state: 'failed', finishedAt: at, detail: `The server stopped while it ran. ${job.detail}` }
}

export const createJobRunner = (deps: JobRunnerDeps): JobRunner => {
  const { store, events, clock, ids, log, place, kinds, isHeld = () => true, beatMs = beatMsDefault, lookMs = 5000 } = deps
  const runner = ids.uuid()
  const running = new Map<string, { readonly lane: string; readonly job: RunningJob }>()
  let isClosed = false
  const inTurn = createSerialQueue()

  const claim = async (record: StoredRecord<StoredJob>, kind: JobKind): Promise<void> => {
    const ended = takenOver(record.value, kind, new Date(clock.now()).toISOString())
    const value: StoredJob = ended ?? { ...record.value, state: 'running', runner }
    const claimed = await writeJob(store, record, value)
    if (ended !== undefined) return
    const job = runJob({ store, clock, log, runner, beatMs }, kind, claimed)
    running.set(record.id, { lane: kind.lane, job })
    void job.ended.then(() => {
      running.delete(record.id)
      return look()
    })
  }

  const lookOnce = async (): Promise<void> => {
    await Promise.all([...running.values()].map(({ job }) => job.look()))
    const { records } = await store.list(openJobs, { prefix: `${place}/`, limit: readAtOnce })
    for (const { id: openId } of records) {
      const id = openId.slice(place.length + 1)
      if (isClosed || !isHeld()) return
      if (running.has(id)) continue
      const record = await store.get(jobRecords, id)
      const kind = record && kinds.find((one) => one.kind === record.value.kind)
      if (record === undefined || kind === undefined) continue
      if ([...running.values()].some(({ lane }) => lane === kind.lane)) continue
      await claim(record, kind).catch((error: unknown) => {
        // It was cancelled at this moment.
        if (!(error instanceof AppError && error.kind === 'conflict')) throw error
      })
    }
  }
  const look = (): Promise<void> =>
    inTurn(async () => {
      if (!isClosed) await lookOnce().catch((error: unknown) => log.warn({ err: error, place }, 'jobs cannot be read'))
    })

  const endLooking = repeat(look, lookMs)
  const following = events
    .subscribe('jobs-changed', (event) => (event.place === place ? look() : undefined))
    .catch((error: unknown) => {
      log.warn({ err: error }, 'no events of new jobs; polling instead')
      return () => undefined
    })
  void look()
  return {
    look,
    close: async () => {
      isClosed = true
      endLooking()
      void following.then((end) => end())
      for (const { job } of running.values()) job.stop('closing')
      await inTurn(async () => undefined)
      const jobs = [...running.values()].map(({ job }) => job)
      for (const job of jobs) job.stop('closing')
      await Promise.all(jobs.map(({ ended }) => ended))
    },
  }
}
