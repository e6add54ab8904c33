import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createCollection } from '../../platform/storage/store.ts'

const Instant = Type.String({ format: 'date-time' })

export const JobState = Type.Union(
  [Type.Literal('queued'), Type.Literal('running'), Type.Literal('done'), Type.Literal('failed'), Type.Literal('cancelled')],
  { description: 'The last three are final.' },
)
export type JobState = Static<typeof JobState>

const jobProperties = {
  id: Type.String({ format: 'uuid', description: 'Ids sort by time.' }),
  kind: Type.String({ description: '`pregen`, `backup`, `verify-backup`, `rollback`, `snapshot`, `restore`, `import-world`.' }),
  state: JobState,
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'The completed share.' }),
  detail: Type.String({ description: 'Progress, or the reason why the job ended, for people.' }),
  by: Type.String({
    description: 'The playerId that started the job; `operator` for the command line, `system` for a schedule.',
  }),
  world: Type.Optional(Type.String({ description: 'The world that the job concerns, by its name when the job was created.' })),
  zone: Type.Optional(Type.String({ format: 'uuid', description: 'The zone that the job concerns.' })),
  startedAt: Instant,
  finishedAt: Type.Optional(Instant),
  result: Type.Optional(Type.Unknown({ description: 'The result; for a job that was cut short, the work done until then.' })),
}

/** Work that takes longer than a request, as clients see it. */
export const Job = ClosedObject(jobProperties)
export type Job = Static<typeof Job>

/** A job as it is stored, with what its runner needs. */
export const StoredJob = ClosedObject({
  ...jobProperties,
  /** `world/<id>`: run by the node of that world. `data`: run by the process with the data folder. */
  place: Type.String(),
  /** The permission needed to cancel the job. */
  permission: Type.Unsafe<`admin.${string}`>(Type.String({ pattern: '^admin\\.' })),
  /** The input for the kind. */
  input: Type.Unknown(),
  /** Where the kind got to, so that another runner can continue. */
  kept: Type.Optional(Type.Unknown()),
  /** The runner, since the job is `running`. */
  runner: Type.Optional(Type.String()),
  isCancelWanted: Type.Optional(Type.Literal(true)),
})
export type StoredJob = Static<typeof StoredJob>

/** By id. */
export const jobRecords = createCollection('jobs', StoredJob)

/** The jobs that have not ended, by `<place>/<id>`. */
export const openJobs = createCollection('open-jobs', ClosedObject({}))

/** The place of jobs that run on the node of a world. */
export const worldPlace = (worldId: string): string => `world/${worldId}`

export const isOver = ({ state }: Pick<Job, 'state'>): boolean => state !== 'queued' && state !== 'running'

/** Removes the fields that only runners need. */
export const viewJob = ({ place, permission, input, kept, runner, isCancelWanted, ...job }: StoredJob): Job => job
