import type { BlockChange } from '../../../shared/domain/history/block-change.ts'
import { type ChangeFilter, findHistoryEnd, listChanges } from '../../../shared/domain/history/find-changes.ts'
import { type OwnUndoAsked, planOwnUndo } from '../../../shared/domain/history/plan-own-undo.ts'
import { type PlannedBlock, planRollback, type RollbackCounts } from '../../../shared/domain/history/plan-rollback.ts'
import type { Job } from '../../../shared/domain/jobs/job.ts'
import type { JobActor, JobService } from '../../../shared/domain/jobs/job-service.ts'
import { filterOfRollback, type RollbackInput, rollbackJob, rollbackName } from '../../../shared/domain/jobs/rollback.ts'
import type { ChunkStore } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'

/** The history of this node's world, as commands see it. */
export type LandControl = {
  /** Newest first. */
  listChanges(filter: ChangeFilter, limit: number): Promise<readonly BlockChange[]>
  /** The end of a rollback of everything up to now, in milliseconds. */
  findEnd(nowMs: number): Promise<number>
  /** Counts what a rollback would change now. */
  count(input: RollbackInput): Promise<RollbackCounts>
  /** The blocks that `/undo` would change now, newest edit first. */
  planOwnUndo(request: OwnUndoAsked): Promise<readonly PlannedBlock[]>
  /** Throws AppError `conflict` `too-many-jobs`. */
  start(actor: JobActor, input: RollbackInput, zone: string | undefined): Promise<Job>
  /** The newest retained rollback that the player started. */
  findOwn(playerId: string): Promise<Job | undefined>
  cancel(actor: JobActor, id: string): Promise<void>
}

/** The number of ended jobs that are retained. */
const newestJobs = 200

export type LandControlDeps = {
  readonly world: WorldRecord
  readonly chunks: Pick<ChunkStore, 'getSide' | 'listSide'>
  readonly jobs: Pick<JobService, 'start' | 'listJobs' | 'cancel'>
  /** Resolves when all changes up to now are stored. */
  readonly settle: () => Promise<unknown>
}

export const createLandControl = ({ world, chunks, jobs, settle }: LandControlDeps): LandControl => ({
  listChanges: async (filter, limit) => {
    const found: BlockChange[] = []
    let cursor: string | undefined
    do {
      const page = await listChanges(chunks, world, { filter, limit: limit - found.length, cursor })
      found.push(...page.changes)
      cursor = page.nextCursor
    } while (cursor !== undefined && found.length < limit)
    return found
  },
  findEnd: (nowMs) => findHistoryEnd(chunks, world, nowMs),
  count: async (input) => (await planRollback(chunks, world, { filter: filterOfRollback(input) })).counts,
  planOwnUndo: async (request) => {
    // The latest edits are in the history only once they are durable.
    await settle()
    return planOwnUndo(chunks, world, request)
  },
  start: (actor, input, zone) => jobs.start(actor, rollbackJob(world, input, { zone })),
  findOwn: async (playerId) => {
    const { jobs: newest } = await jobs.listJobs({ limit: newestJobs })
    return newest.find(({ kind, by }) => kind === rollbackName && by === playerId)
  },
  cancel: jobs.cancel,
})
