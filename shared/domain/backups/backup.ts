import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JobProgress } from '../jobs/job-kind.ts'

/** A complete data folder as of one moment. */
export const Backup = ClosedObject({
  id: Type.String({ description: 'Ids sort by time.' }),
  at: Type.String({ format: 'date-time', description: 'The moment whose data it contains.' }),
  worlds: Type.Array(Type.String(), { description: 'The names of the worlds in it.' }),
  sizeBytes: Type.Integer({ minimum: 0 }),
  verifiedAt: Type.Optional(Type.String({ format: 'date-time', description: 'When every record was last verified.' })),
})
export type Backup = Static<typeof Backup>

/** How long work on backups reports progress and is cancelled. */
export type BackupWork = {
  readonly signal: AbortSignal
  readonly tell: (told: JobProgress) => void
}

/** The backups of a data folder. Throws AppError `unavailable` if their folder cannot be used. */
export type Backups = {
  /** Complete backups, newest first. */
  list(): Promise<readonly Backup[]>
  /** Throws AppError `not-found`. */
  get(id: string): Promise<Backup>
  /**
   * Copies records, worlds and configs as of one moment while other processes use them, and verifies every record of the copy. Then deletes
   * the backups that `keep` does not select, even if the verification failed; never the newest verified one. Throws AppError `conflict`
   * while another backup is being made, and `unavailable` `storage-full`. A failed backup is removed, except one that only failed
   * verification.
   */
  create(work: BackupWork): Promise<Backup>
  /**
   * The backup as a tar archive of its folder, for a download. The pieces fail if the backup is deleted in the meantime. Throws AppError
   * `not-found`.
   */
  archive(id: string): Promise<AsyncIterable<Uint8Array>>
  /** Deletes the backup. Throws AppError `not-found`, and `conflict` while another backup is being made. */
  remove(id: string): Promise<Backup>
  /** Verifies every record. Throws AppError `not-found`, or `unprocessable` `damaged-backup` with the damage. */
  verify(id: string, work: BackupWork): Promise<Backup>
}

/** The error for data that is not in a data folder, with the way to back it up. */
export const managedElsewhere = (): AppError =>
  new AppError(
    'conflict',
    'managed-elsewhere',
    'All data is in DynamoDB, which has its own backups: point-in-time recovery restores each table to any second of the last 35 days. See docs/operations/backup.md for the commands.',
  )
