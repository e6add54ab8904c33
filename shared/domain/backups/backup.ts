import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import { createParser } from '../../kernel/schema.ts'
import type { JobKind, JobProgress } from '../jobs/job.ts'
import type { NewJob } from '../jobs/job-service.ts'

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

/** The place of jobs that run in the process with the data folder. */
export const dataPlace = 'data'

/** A job that makes a backup. */
export const backupJob: NewJob = {
  kind: 'backup',
  place: dataPlace,
  input: {},
  permission: 'admin.backups.write',
  detail: 'Waiting for the process that has the data folder.',
  audit: { action: 'backup.create', target: 'backups', after: {} },
}

export const createBackupKind = (backups: Pick<Backups, 'create'>): JobKind => ({
  kind: 'backup',
  lane: 'backups',
  afterCrash: 'fail',
  run: async ({ signal, tell }) => {
    const backup = await backups.create({ signal, tell })
    return { detail: `Created the backup ${backup.id} and verified every record.`, result: backup }
  },
})

const parseVerifyInput = createParser(Type.Object({ id: Type.String() }))

/** A job that verifies every record of a backup. */
export const verifyBackupJob = (id: string): NewJob => ({
  kind: 'verify-backup',
  place: dataPlace,
  input: { id },
  permission: 'admin.backups.write',
  detail: 'Waiting for the process that has the data folder.',
  audit: { action: 'backup.verify', target: id, after: {} },
})

export const createVerifyBackupKind = (backups: Pick<Backups, 'verify'>): JobKind => ({
  kind: 'verify-backup',
  lane: 'backups',
  afterCrash: 'fail',
  run: async ({ input, signal, tell }) => {
    const parsed = parseVerifyInput(input)
    if (!parsed.ok) throw new Error('the input of the job is not a backup')
    const backup = await backups.verify(parsed.value.id, { signal, tell })
    return { detail: `Every record of the backup ${backup.id} is intact.`, result: backup }
  },
})

/** How many backups stay: the latest ones, and one for each of the latest days and weeks that have one. */
export type Keep = { readonly last: number; readonly daily: number; readonly weekly: number }

const dayMs = 86_400_000
/** 1970-01-01 was a Thursday; weeks begin on Mondays. */
const weekOf = (atMs: number): number => Math.floor((atMs / dayMs + 3) / 7)
const dayOf = (atMs: number): number => Math.floor(atMs / dayMs)

/** The ids of the backups that stay; `backups` are newest first. Of a day or week the newest stays. The newest verified backup always stays. */
export const chooseKept = (backups: readonly Pick<Backup, 'id' | 'at' | 'verifiedAt'>[], keep: Keep): ReadonlySet<string> => {
  const kept = new Set(backups.slice(0, keep.last).map(({ id }) => id))
  const keepPeriods = (periodOf: (atMs: number) => number, count: number): void => {
    const seen = new Set<number>()
    for (const { id, at } of backups) {
      const period = periodOf(Date.parse(at))
      if (seen.has(period) || seen.size >= count) continue
      seen.add(period)
      kept.add(id)
    }
  }
  keepPeriods(dayOf, keep.daily)
  keepPeriods(weekOf, keep.weekly)
  const readBack = backups.find(({ verifiedAt }) => verifiedAt !== undefined)
  if (readBack !== undefined) kept.add(readBack.id)
  return kept
}
