import { Type } from '@sinclair/typebox'
import { createParser } from '../../kernel/schema.ts'
import type { AuditActor } from '../audit/audit-entry.ts'
import type { JobContext, JobKind, JobProgress } from '../jobs/job.ts'
import type { JobActor, NewJob } from '../jobs/job-service.ts'
import type { WorldRecord } from '../worlds/world.ts'

/** The largest file of a world that a client can upload. Larger ones are imported on the command line. */
export const worldUploadBytesMax = 4_294_967_296

/** An uploaded file of a world. */
export type WorldUpload = { readonly id: string; readonly sizeBytes: number }

/** Imports worlds from uploaded files into the data folder. */
export type WorldImports = {
  /** Throws AppError `conflict` if a world with this name exists, without regard to case. */
  readonly expectFree: (name: string) => Promise<void>
  /**
   * Writes an upload to the disk and checks its header. Throws AppError `invalid` for a file that is not an exported world, `unavailable`
   * `storage-full` if the disk is full, and errors of `pieces`. Nothing is left then.
   */
  readonly receive: (pieces: AsyncIterable<Uint8Array>) => Promise<WorldUpload>
  /** Deletes an upload. */
  readonly discard: (id: string) => Promise<void>
  /** Imports an upload, and deletes it unless the server stops before the end. Throws as `importWorldFile`. */
  readonly run: (
    asked: { readonly upload: string; readonly name: string; readonly actor: AuditActor },
    told: Pick<JobContext, 'signal'> & { readonly tell: (progress: JobProgress) => void },
  ) => Promise<{ readonly world: WorldRecord; readonly columns: number }>
  /** Deletes uploads without a job that are older than two minutes: a dead process left them. */
  readonly sweep: () => Promise<void>
}

export const importWorldName = 'import-world'

const parseImportInput = createParser(
  Type.Object({ upload: Type.String(), name: Type.String(), email: Type.String(), requestId: Type.String() }),
)

/** The upload of a stored job. */
export const uploadOfJob = (input: unknown): string | undefined => {
  const parsed = parseImportInput(input)
  return parsed.ok ? parsed.value.upload : undefined
}

/** A job that makes a world from an uploaded file. */
export const importWorldJob = (
  { email, requestId }: JobActor,
  { name, upload: { id, sizeBytes } }: { readonly name: string; readonly upload: WorldUpload },
): NewJob => ({
  kind: importWorldName,
  // The process with the data folder, as for backups.
  place: 'data',
  world: name,
  input: { upload: id, name, email, requestId },
  permission: 'admin.worlds.write',
  detail: `Waiting to import the world "${name}".`,
  audit: { action: 'world.import', target: name, after: { sizeBytes } },
})

export const createImportWorldKind = (imports: Pick<WorldImports, 'run'>): JobKind => ({
  kind: importWorldName,
  lane: 'imports',
  // It begins again: chunks of the first attempt are deleted.
  afterCrash: 'go-on',
  run: async ({ input, signal, tell }) => {
    const parsed = parseImportInput(input)
    if (!parsed.ok) throw new Error('the input of the job is not an upload')
    const { upload, name, email, requestId } = parsed.value
    const { world, columns } = await imports.run({ upload, name, actor: { email, via: 'http', requestId } }, { signal, tell })
    return {
      detail: `Imported the world "${world.name}" with ${columns} ${columns === 1 ? 'chunk' : 'chunks'}.`,
      result: { world: world.name, columns },
    }
  },
})
