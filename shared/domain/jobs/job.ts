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

export type JobProgress = {
  /** 0 to 1. */
  readonly progress: number
  /** The work done so far, for people. A job that is cut short ends with this text. */
  readonly detail: string
  /** The work done so far, for programs. It becomes the result of a job that is cut short. */
  readonly result?: unknown
}

/** What the code of a job gets. */
export type JobContext = {
  readonly job: Pick<Job, 'id' | 'by' | 'startedAt'>
  /** The value given to `start`. It comes from the store, so parse it. */
  readonly input: unknown
  /** The value that `keep` stored last, if an earlier run was cut short. It comes from the store, so parse it. */
  readonly kept: unknown
  /** Aborted when the job is cancelled or another process takes it over. Throw soon after. */
  readonly signal: AbortSignal
  /** Reports progress. Call it as often as you like: it is written once a second. */
  tell(told: JobProgress): void
  /** Stores `kept` durably for a later run of the job. Throws if this process no longer runs the job. */
  keep(kept: unknown, told?: JobProgress): Promise<void>
}

/** A kind of job: its name, its lane and its code. */
export type JobKind = {
  readonly kind: string
  /** Jobs of one lane and place run one after another. */
  readonly lane: string
  /** After a crash: run the job again with its `kept` value, or fail it with the work done so far. */
  readonly afterCrash: 'go-on' | 'fail'
  /** Runs the job. The failure of a job shows the public detail of an AppError, and nothing of other errors. */
  run(context: JobContext): Promise<{ readonly detail: string; readonly result?: unknown }>
}
