import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AuditEntry } from '../audit/audit-log.ts'
import { findHistoryEnd } from '../history/find-changes.ts'
import { planRollback } from '../history/plan-rollback.ts'
import { type Job, worldPlace } from '../jobs/job.ts'
import type { JobService } from '../jobs/job-service.ts'
import { filterOfRollback, type RollbackInput, rollbackJob, rollbackName } from '../jobs/rollback.ts'
import type { ChunkStore } from '../worlds/store/chunk-store.ts'
import type { WorldRecord } from '../worlds/world.ts'
import type { WorldService } from '../worlds/world-service.ts'
import { isRecord, notUndoable, type Undoer } from './undoer.ts'

/** The maximum time by which the clock of the changing node may be behind. */
const clocksWithinMs = 3_600_000

type Deps = {
  readonly worlds: Pick<WorldService, 'getWorld'>
  readonly jobs: Pick<JobService, 'getJob' | 'listOpen' | 'start'>
  readonly chunks: Pick<ChunkStore, 'getSide' | 'listSide'>
  readonly clock: Clock
}

/**
 * Throws while another job that undoes it waits or runs. Its blocks have not changed yet, so a second undo would restore the same ones.
 */
const refuseUnderWay = async (jobs: Deps['jobs'], world: WorldRecord, undone: string): Promise<void> => {
  const open = await jobs.listOpen(worldPlace(world.id))
  const other = open.find(({ kind, input }) => kind === rollbackName && isRecord(input) && input.undoes === undone)
  if (other !== undefined) throw notUndoable(`The job ${other.id} is already undoing it.`)
}

const orGone = (error: unknown): undefined => {
  if (error instanceof AppError && error.kind === 'not-found') return undefined
  throw error
}

/** Undoes a job's changes of blocks with another job. Skips blocks that were changed since. */
const createPlan =
  (
    { worlds, jobs, chunks, clock }: Deps,
    permission: `admin.${string}`,
    worldOf: (entry: AuditEntry) => string,
  ): Undoer['plan'] =>
  async (entry) => {
    const { at, after } = entry
    const undoes = isRecord(after) && typeof after.job === 'string' ? after.job : undefined
    const world = await worlds.getWorld(worldOf(entry)).catch(orGone)
    if (undoes === undefined || world === undefined) throw notUndoable('The world of that job no longer exists.')
    const job: Job | undefined = await jobs.getJob(undoes).catch(orGone)
    if (job?.state === 'queued' || job?.state === 'running')
      throw notUndoable('The job is still running. Cancel it, then undo its changes.')
    await refuseUnderWay(jobs, world, undoes)
    const input: RollbackInput = {
      since: Date.parse(at) - clocksWithinMs,
      until: (await findHistoryEnd(chunks, world, clock.now())) + clocksWithinMs,
      undoes,
    }
    const { counts } = await planRollback(chunks, world, { filter: filterOfRollback(input) })
    if (counts.blocks === 0) throw notUndoable('There is nothing to undo: its blocks were changed since, or it changed none.')
    return { would: counts, apply: (actor) => jobs.start(actor, rollbackJob(world, input, { permission, zone: job?.zone })) }
  }

export const createUndoRollbacks = (deps: Deps): Undoer => ({
  actions: ['world.rollback'],
  permission: 'admin.history.write',
  plan: createPlan(deps, 'admin.history.write', ({ target }) => target),
})

export const createUndoRestores = (deps: Deps): Undoer => ({
  actions: ['zone.restore'],
  permission: 'admin.instances.write',
  plan: createPlan(deps, 'admin.instances.write', ({ after }) =>
    isRecord(after) && typeof after.world === 'string' ? after.world : '',
  ),
})
