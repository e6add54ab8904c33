import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { repeat } from '../../kernel/repeat.ts'
import type { Store, StoredRecord } from '../../platform/storage/store.ts'
import { jobWrites } from './create-job-service.ts'
import { jobRecords, type StoredJob } from './job.ts'
import type { JobKind, JobProgress } from './job-kind.ts'

export type RunJobDeps = {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Of this runner. */
  readonly runner: string
  /** How often progress is written and cancelling is looked for. */
  readonly beatMs: number
}

/** How often progress is written unless told otherwise. */
export const beatMsDefault = 1000

/** Why the signal of a job is aborted. */
export type Stop = 'cancelled' | 'closing' | 'lost'

/** A job that this process runs. */
export type RunningJob = {
  readonly stop: (why: Stop) => void
  /** Why it was stopped, if it was. */
  readonly stopped: () => Stop | undefined
  /** Looks now whether somebody wants it cancelled. */
  readonly look: () => Promise<void>
  /** Resolves when nothing of it is under way here; never rejects. */
  readonly ended: Promise<void>
}

const isConflict = (error: unknown): boolean => error instanceof AppError && error.kind === 'conflict'

const lost = (): AppError => new AppError('conflict', 'conflict', 'Another process runs the job.')

const reasonOf = (error: unknown): string =>
  error instanceof AppError ? error.publicDetail : 'Something went wrong; the log of the server says what.'

/** How it is after `run` threw. */
const endOf = (job: StoredJob, why: Stop | undefined, { error, at }: { error: unknown; at: string }): StoredJob | undefined => {
  if (why === 'lost') return undefined
  if (why === 'closing') {
    const { runner: _, ...waiting } = job
    return { ...waiting, state: 'queued' }
  }
  if (why === 'cancelled') return { ...job, state: 'cancelled', finishedAt: at, detail: `It was cancelled. ${job.detail}` }
  return { ...job, state: 'failed', finishedAt: at, detail: `${reasonOf(error)} ${job.detail}` }
}

/** Puts a job in place of what it was; throws AppError `conflict` where somebody was faster. */
export const writeJob = async (
  store: Pick<Store, 'commit'>,
  record: StoredRecord<StoredJob>,
  value: StoredJob,
): Promise<StoredRecord<StoredJob>> => {
  const [version] = await store.commit(jobWrites(record, value))
  return { ...record, value, version: version ?? record.version }
}

/** Runs a job that was just claimed, and writes how far it is and how it ends. */
export const runJob = (deps: RunJobDeps, kind: JobKind, claimed: StoredRecord<StoredJob>): RunningJob => {
  const { store, clock, log, runner, beatMs } = deps
  const over = new AbortController()
  let why: Stop | undefined
  let record = claimed
  let told: JobProgress | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const stop = (reason: Stop): void => {
    // Whoever has lost the job has nothing to end, whatever it was about to.
    why = reason === 'lost' ? reason : (why ?? reason)
    over.abort(new AppError('conflict', 'conflict', reason === 'cancelled' ? 'It was cancelled.' : 'The server is stopping.'))
  }
  const reread = async (): Promise<void> => {
    const found = await store.get(jobRecords, claimed.id)
    if (found === undefined || found.value.runner !== runner) return stop('lost')
    record = found
    if (found.value.isCancelWanted) stop('cancelled')
  }
  const takeTold = (): Partial<StoredJob> => {
    const { progress, detail, result } = told ?? record.value
    told = undefined
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
  /** One after another. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const next = queue.then(work)
    queue = next.catch(() => undefined)
    return next
  }
  const beat = (): Promise<void> =>
    inTurn(async () => {
      if (told === undefined) return reread()
      const news = takeTold()
      await write((job) => ({ ...job, ...news }))
    }).catch((error: unknown) => log.debug({ err: error, job: claimed.id }, 'how far a job is cannot be told; trying on'))
  const endBeat = repeat(beat, beatMs)

  const finish = async (change: (job: StoredJob) => StoredJob | undefined): Promise<void> => {
    let news: Partial<StoredJob> | undefined
    for (;;)
      try {
        return await inTurn(() => {
          // Not before a beat that is under way has written what it took.
          news ??= takeTold()
          return write((job) => change({ ...job, ...news }))
        })
      } catch (error) {
        if (why === 'lost') return
        log.warn({ err: error, job: claimed.id }, 'how a job ended cannot be written')
        // The next runner takes it up, or tells how it ended.
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
          told = news
        },
        keep: (next, news) => {
          told = news ?? told
          return inTurn(() => {
            const latest = takeTold()
            return write((job) => ({ ...job, ...latest, kept: next }))
          })
        },
      })
      endBeat()
      told = { progress: 1, ...outcome }
      await finish((job) => ({ ...job, state: 'done', finishedAt: at() }))
    } catch (error) {
      endBeat()
      if (why === undefined) log.warn({ err: error, job: id, kind: kind.kind }, 'a job failed')
      await finish((job) => endOf(job, why, { error, at: at() }))
    }
  }
  return { stop, stopped: () => why, look: beat, ended: run() }
}

/** Runs one job in this process, whose place it is. Throws AppError `not-found`, and `conflict` where somebody else was faster. */
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
