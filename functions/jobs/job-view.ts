import { type TSchema, Type } from '@sinclair/typebox'
import { Backup } from '../../shared/domain/backups/backup.ts'
import { Job } from '../../shared/domain/jobs/job.ts'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ZoneSnapshot } from '../../shared/domain/zones/snapshots/snapshot.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'

const Count = Type.Integer({ minimum: 0 })

/** The numbers of a rollback, or of its dry run. */
export const RollbackCounts = ClosedObject({ changes: Count, blocks: Count, columns: Count, skipped: Count })

const JobOf = (kind: string, result: TSchema) =>
  ClosedObject({
    ...Job.properties,
    kind: Type.Literal(kind),
    result: Type.Optional({ ...result, description: 'The result; for a job that was cut short, the work done until then.' }),
  })

export const PregenJob = JobOf(
  'pregen',
  ClosedObject({ columns: Count, generated: Type.Integer({ minimum: 0, description: 'New columns.' }) }),
)
export const RollbackJob = JobOf('rollback', RollbackCounts)
export const SnapshotJob = JobOf('snapshot', ZoneSnapshot)
export const RestoreJob = JobOf('restore', ClosedObject({ blocks: Count }))
export const BackupJob = JobOf('backup', Backup)
export const BackupVerifyJob = JobOf('verify-backup', Backup)

export const ImportWorldJob = JobOf('import-world', ClosedObject({ world: WorldName, columns: Count }))

/** A job as clients see it: its kind tells the type of its result. */
export const JobView = Type.Union([PregenJob, RollbackJob, SnapshotJob, RestoreJob, BackupJob, BackupVerifyJob, ImportWorldJob])
