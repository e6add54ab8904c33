import { planRollback } from '../history/plan-rollback.ts'
import type { Job } from '../jobs/job.ts'
import type { JobService } from '../jobs/job-service.ts'
import { filterOfRollback, type RollbackInput, rollbackJob } from '../jobs/rollback.ts'
import type { Clock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import type { ChunkStore } from '../worlds/store/chunk-store.ts'
import type { WorldService } from '../worlds/world-service.ts'
import { isRecord, notUndoable, type Undoer } from './undoer.ts'

/** By how much the clock of the node that changed the blocks may be behind. */
const clocksWithinMs = 3_600_000

type Deps = {
  readonly worlds: Pick<WorldService, 'getWorld'>
  readonly jobs: Pick<JobService, 'getJob' | 'start'>
  readonly chunks: Pick<ChunkStore, 'getSide' | 'listSide'>
  readonly clock: Clock
}

const orGone = (error: unknown): undefined => {
  if (error instanceof AppError && error.kind === 'not-found') return undefined
  throw error
}

/** Rollbacks of blocks: by a job that takes back what the job of the rollback did, where nobody has built since. */
export const createUndoRollbacks = ({ worlds, jobs, chunks, clock }: Deps): Undoer => ({
  actions: ['world.rollback'],
  permission: 'admin.history.write',
  plan: async ({ target, at, after }) => {
    const undoes = isRecord(after) && typeof after.job === 'string' ? after.job : undefined
    const world = await worlds.getWorld(target).catch(orGone)
    if (undoes === undefined || world === undefined) throw notUndoable('The world of that rollback is gone.')
    const job: Job | undefined = await jobs.getJob(undoes).catch(orGone)
    if (job?.state === 'queued' || job?.state === 'running')
      throw notUndoable('That rollback is under way: cancel its job, then take back what it has done.')
    const input: RollbackInput = { since: Date.parse(at) - clocksWithinMs, until: clock.now() + clocksWithinMs, undoes }
    const { counts } = await planRollback(chunks, world, { filter: filterOfRollback(input) })
    if (counts.blocks === 0)
      throw notUndoable('Nothing of that rollback is left: its blocks have been changed since, or it changed none.')
    return { would: counts, apply: (actor) => jobs.start(actor, rollbackJob(world, input)) }
  },
})
