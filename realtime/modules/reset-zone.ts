import { setTimeout as pause } from 'node:timers/promises'
import { isOver } from '../../shared/domain/jobs/job.ts'
import type { JobActor, JobService } from '../../shared/domain/jobs/job-service.ts'
import { restoreJob } from '../../shared/domain/jobs/snapshot-jobs.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import type { ZoneSnapshots } from '../../shared/domain/zones/snapshots/zone-snapshots.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Ids } from '../../shared/kernel/ids.ts'

export type ResetZoneDeps = {
  readonly snapshots: Pick<ZoneSnapshots, 'list'>
  readonly jobs: Pick<JobService, 'start' | 'getJob'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly world: Pick<WorldRecord, 'id' | 'name'>
}

const lookEveryMs = 100

/**
 * Restores a zone from a snapshot by name or id, as a job by `system`, and resolves when the job has ended. The newest snapshot of that
 * name counts. Throws AppError `not-found`, and an error with the reason if the job fails.
 */
export const createResetZone =
  ({ snapshots, jobs, ids, world }: ResetZoneDeps) =>
  async (zoneId: string, named: string, signal: AbortSignal): Promise<void> => {
    const found = (await snapshots.list(zoneId)).find(({ id, name }) => id === named || name === named)
    if (found === undefined) throw new AppError('not-found', 'not-found', `The zone has no snapshot "${named}".`)
    const actor: JobActor = { email: 'system', playerId: 'system', via: 'cli', requestId: ids.uuid() }
    const { id } = await jobs.start(actor, restoreJob({ world, zone: { id: zoneId } }, found))
    for (;;) {
      const job = await jobs.getJob(id)
      if (isOver(job)) {
        if (job.state !== 'done') throw new Error(job.detail)
        return
      }
      await pause(lookEveryMs, undefined, { signal })
    }
  }
