import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createCollection } from '../../platform/storage/store.ts'

const Instant = Type.String({ format: 'date-time' })

export const JobState = Type.Union(
  [Type.Literal('queued'), Type.Literal('running'), Type.Literal('done'), Type.Literal('failed'), Type.Literal('cancelled')],
  { description: 'The last three are for good.' },
)
export type JobState = Static<typeof JobState>

const jobProperties = {
  id: Type.String({ format: 'uuid', description: 'Ids sort by time.' }),
  kind: Type.String({ description: '`pregen`, `backup`, `rollback`, `snapshot`, `restore`.' }),
  state: JobState,
  progress: Type.Number({ minimum: 0, maximum: 1, description: 'The share that is done.' }),
  detail: Type.String({ description: 'What is done, or why it ended, for people.' }),
  by: Type.String({ description: 'The playerId of who started it; `operator` for the command line, `system` for a schedule.' }),
  startedAt: Instant,
  finishedAt: Type.Optional(Instant),
  result: Type.Optional(Type.Unknown({ description: 'What came of it; of one that was cut short, what was done until then.' })),
}

/** Work that takes longer than a request, as everybody sees it. */
export const Job = ClosedObject(jobProperties)
export type Job = Static<typeof Job>

/** A job as it is stored, with what its runner needs. */
export const StoredJob = ClosedObject({
  ...jobProperties,
  /** Where it is run: `world/<id>` by the node of that world, `data` by the process with the data folder. */
  place: Type.String(),
  /** What it takes to cancel it. */
  permission: Type.Unsafe<`admin.${string}`>(Type.String({ pattern: '^admin\\.' })),
  /** What its kind is to do. */
  input: Type.Unknown(),
  /** How far its kind got, so that another runner goes on from there. */
  kept: Type.Optional(Type.Unknown()),
  /** Who runs it, since it is `running`. */
  runner: Type.Optional(Type.String()),
  isCancelWanted: Type.Optional(Type.Literal(true)),
})
export type StoredJob = Static<typeof StoredJob>

/** By id. */
export const jobRecords = createCollection('jobs', StoredJob)

/** The jobs that are not over, by `<place>/<id>`. */
export const openJobs = createCollection('open-jobs', ClosedObject({}))

/** The place of jobs that the node of a world runs. */
export const worldPlace = (worldId: string): string => `world/${worldId}`

export const isOver = ({ state }: Pick<Job, 'state'>): boolean => state !== 'queued' && state !== 'running'

/** Without what only runners know. */
export const viewJob = ({ place, permission, input, kept, runner, isCancelWanted, ...job }: StoredJob): Job => job
