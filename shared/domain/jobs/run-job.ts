import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { createSerialQueue } from '../../kernel/queue.ts'
import { repeat } from '../../kernel/repeat.ts'
import type { Store, StoredRecord } from '../../platform/storage/store.ts'
import { type JobKind, type JobProgress, jobRecords, type StoredJob } from './job.ts'
import { jobWrites } from './job-service.ts'

export type RunJobDeps = {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** The id of this runner. */
  readonly runner: string
  /** How often the job's progress is written and its record checked for cancellation. */
  readonly beatMs: number
}

/** The default of `beatMs`. */
export const beatMsDefault = 1000

/** The reason why the signal of a job is aborted. */
export type Stop = 'cancelled' | 'closing' | 'lost'

/** A job that this process runs. */
export type RunningJob = {
  readonly stop: (why: Stop) => void
  /** The reason why the job was stopped, if it was. */
  readonly stopped: () => Stop | undefined
  /** Checks now whether the job was cancelled. */
  readonly look: () => Promise<void>
  /** Resolves when the job no longer runs here. Never rejects. */
  readonly ended: Promise<void>
}

const isConflict = (error: unknown): boolean => error instanceof AppError && error.kind === 'conflict'

const lost = (): AppError => new AppError('conflict', 'conflict', 'Another process runs the job.')

const reasonOf = (error: unknown): string =>
  error instanceof AppError ? error.publicDetail : 'Something went wrong. See the log of the server.'

/** The job after `run` threw. */
const endOf = (job: StoredJob, why: Stop | undefined, { error, at }: { error: unknown; at: string }): StoredJob | undefined => {
  if (why === 'lost') return undefined
  if (why === 'closing') {
    const { runner: _, ...waiting } = job
    return { ...waiting, state: 'queued' }
  }
  if (why === 'cancelled') return { ...job, state: 'cancelled', finishedAt: at, detail: `It was cancelled. ${job.detail}` }
  return { ...job, state: 'failed', finishedAt: at, detail: `${reasonOf(error)} ${job.detail}` }
}

/** Replaces a stored job. Throws AppError `conflict` if another process changed it first. */
export const writeJob = async (
  store: Pick<Store, 'commit'>,
  record: StoredRecord<StoredJob>,
  value: StoredJob,
): Promise<StoredRecord<StoredJob>> => {
  const [version] = await store.commit(jobWrites(record, value))
  return { ...record, value, version: version ?? record.version }
}

/** Runs a job that was just claimed, and writes its progress and its end. */
export const runJob = (deps: RunJobDeps, kind: JobKind, claimed: StoredRecord<StoredJob>): RunningJob => {
  const { store, clock, log, runner, beatMs } = deps
  const over = new AbortController()
  let why: Stop | undefined
  let record = claimed
  let reported: JobProgress | undefined
  const inTurn = createSerialQueue()

  const stop = (reason: Stop): void => {
    // A lost job belongs to another runner, so `lost` overrides an earlier reason.
    why = reason === 'lost' ? reason : (why ?? reason)
    over.abort(new AppError('conflict', 'conflict', reason === 'cancelled' ? 'It was cancelled.' : 'The server is stopping.'))
  }
  const reread = async (): Promise<void> => {
    const stored = await store.get(jobRecords, claimed.id)
    if (stored === undefined || stored.value.runner !== runner) return stop('lost')
    record = stored
    if (stored.value.isCancelWanted) stop('cancelled')
  }
  const takeTold = (): Partial<StoredJob> => {
    const { progress, detail, result } = reported ?? record.value
    reported = undefined
    return { progress: Math.min(1, Math.max(0, progress)), detail, ...(result === undefined ? {} : { result }) }
  }
  const write = async (change: (job: StoredJob) => StoredJob | undefined): Promise<void> => {
    for (;;) {
      if (why === 'lost') throw lost()
      const value = change(record.value)
      if (value === undefined) return
      try {
        record = await writeJob(store, record, value)
        return
      } catch (error) {
        if (!isConflict(error)) throw error
        await reread()
      }
    }
  }
  const beat = (): Promise<void> =>
    inTurn(async () => {
      if (reported === undefined) return reread()
      const news = takeTold()
      await write((job) => ({ ...job, ...news }))
    }).catch((error: unknown) =>
      log.debug({ err: error, job: claimed.id }, 'the progress of a job cannot be written; trying again'),
    )
  const endBeat = repeat(beat, beatMs)

  const finish = async (change: (job: StoredJob) => StoredJob | undefined): Promise<void> => {
    let news: Partial<StoredJob> | undefined
    for (;;)
      try {
        return await inTurn(() => {
          // Takes the progress only now: a beat that is under way may have written some of it.
          news ??= takeTold()
          return write((job) => change({ ...job, ...news }))
        })
      } catch (error) {
        if (why === 'lost') return
        log.warn({ err: error, job: claimed.id }, 'the end of a job cannot be written')
        // The next runner takes the job over, or writes its end.
        if (why === 'closing') return
        await new Promise((resolve) => setTimeout(resolve, beatMs))
      }
  }

  const run = async (): Promise<void> => {
    const { id, by, startedAt, input, kept } = claimed.value
    const at = () => new Date(clock.now()).toISOString()
    try {
      const outcome = await kind.run({
        job: { id, by, startedAt },
        input,
        kept,
        signal: over.signal,
        tell: (news) => {
          reported = news
        },
        keep: (next, news) => {
          reported = news ?? reported
          return inTurn(() => {
            const latest = takeTold()
            return write((job) => ({ ...job, ...latest, kept: next }))
          })
        },
      })
      endBeat()
      reported = { progress: 1, ...outcome }
      await finish((job) => ({ ...job, state: 'done', finishedAt: at() }))
    } catch (error) {
      endBeat()
      if (why === undefined) log.warn({ err: error, job: id, kind: kind.kind }, 'a job failed')
      await finish((job) => endOf(job, why, { error, at: at() }))
    }
  }
  return { stop, stopped: () => why, look: beat, ended: run() }
}

/**
 * Runs one job in this process, which must own its place. Throws AppError `not-found`, and `conflict` if another process claimed it
 * first.
 */
export const runStoredJob = async (
  { store, clock, log, ids }: Pick<RunJobDeps, 'store' | 'clock' | 'log'> & { readonly ids: Pick<Ids, 'uuid'> },
  id: string,
  kind: JobKind,
): Promise<RunningJob> => {
  const record = await store.get(jobRecords, id)
  if (record === undefined) throw new AppError('not-found', 'not-found', 'There is no job with that id.')
  const runner = ids.uuid()
  const claimed = await writeJob(store, record, { ...record.value, state: 'running', runner })
  return runJob({ store, clock, log, runner, beatMs: beatMsDefault }, kind, claimed)
}
