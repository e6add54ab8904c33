import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JobProgress } from '../jobs/job-kind.ts'

/** A whole data folder as it was at one moment. */
export const Backup = ClosedObject({
  id: Type.String({ description: 'Ids sort by time.' }),
  at: Type.String({ format: 'date-time', description: 'The moment that it is of.' }),
  worlds: Type.Array(Type.String(), { description: 'The names of the worlds in it.' }),
  sizeBytes: Type.Integer({ minimum: 0 }),
  verifiedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When every record of it was read back last.' })),
})
export type Backup = Static<typeof Backup>

/** What a long work on backups tells, and is stopped by. */
export type BackupWork = {
  readonly signal: AbortSignal
  readonly tell: (told: JobProgress) => void
}

/** The backups of a data folder. Throws AppError `unavailable` where their folder cannot be used. */
export type Backups = {
  /** Newest first; those that are not whole are not among them. */
  list(): Promise<readonly Backup[]>
  /** Throws AppError `not-found`. */
  get(id: string): Promise<Backup>
  /**
   * Copies one moment of records, worlds and configs while others work on them, and reads every record of the copy back. Then takes away
   * the backups that `keep` does not want, after one that cannot be read back too, and never the newest that was. Throws AppError
   * `conflict` while another is made, and `unavailable` `storage-full`. What was made before it throws is gone, unless all that failed
   * is the reading back.
   */
  create(work: BackupWork): Promise<Backup>
  /** Reads every record back. Throws AppError `not-found`, and `unprocessable`, slug `damaged-backup`, with what is damaged. */
  verify(id: string, work: BackupWork): Promise<Backup>
}

/** How people back up what is not in a data folder. */
export const managedElsewhere = (): AppError =>
  new AppError(
    'conflict',
    'managed-elsewhere',
    'Everything is in DynamoDB, which keeps its own backups: point-in-time recovery brings each table back as it was at any second of the last 35 days. docs/operations/backup.md has the commands.',
  )
