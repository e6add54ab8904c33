import { type Static, Type } from '@sinclair/typebox'
import type { Log } from '../../kernel/log.ts'
import { type Collection, createCollection, type Store, type StoredRecord } from '../../platform/storage/store.ts'

/** The length of a step in seconds, and the number of steps that a node keeps: ten minutes in all. */
export const stepSeconds = 5
export const stepsKept = 120

/** The same for the last day, in steps of two minutes. */
export const dayStepSeconds = 120
export const dayStepsKept = 720

const closed = { additionalProperties: false } as const
const Count = Type.Integer({ minimum: 0 })
const Milliseconds = Type.Number({ minimum: 0 })

/**
 * The metrics of a node over a step. Values that are not sums are from the end of a step of five seconds. A step of the day has the
 * highest of these values.
 */
export const NodeStep = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'The end of the step.' }),
    sessions: Count,
    tick: Type.Object({ p50Ms: Milliseconds, p99Ms: Milliseconds }, closed),
    overruns: Type.Integer({ minimum: 0, description: 'Ticks that exceeded their time budget.' }),
    bytesIn: Count,
    bytesOut: Count,
    queues: Type.Object(
      { inbox: Count, work: Count, edits: Count, chunkWrites: Count, terrainWrites: Count, places: Count },
      { ...closed, description: 'Queue lengths: messages for the next tick, work outside ticks, and pending writes.' },
    ),
    memoryBytes: Type.Integer({ minimum: 0, description: 'Resident.' }),
    cpu: Type.Number({ minimum: 0, description: 'CPU cores in use: 1 is one core, fully used.' }),
  },
  closed,
)
export type NodeStep = Static<typeof NodeStep>

/** By `<world id>/<slot>`. The slots are a ring of one day: a step replaces the step of the same time a day earlier. */
const metricDays = createCollection('metric-days', NodeStep)

const stepMs = dayStepSeconds * 1000
const dayMs = stepMs * dayStepsKept
const pageLimit = 1000

const idOf = (worldId: string, slot: number): string => `${worldId}/${String(slot).padStart(3, '0')}`

/** The steps of a world's day in the store, so that charts survive a restart. At most 720 small records for each world. */
type DayRecords = {
  /** The stored steps of the last day, oldest first. Without readable steps it is empty, with a warning. Never rejects. */
  load(worldId: string, nowMs: number): Promise<readonly NodeStep[]>
  /** Throws AppError `unavailable`. */
  keep(worldId: string, step: NodeStep): Promise<void>
}

const listAll = async <T>(
  store: Pick<Store, 'list'>,
  collection: Collection<T>,
  worldId: string,
): Promise<readonly StoredRecord<T>[]> => {
  const found: StoredRecord<T>[] = []
  let cursor: string | undefined
  do {
    const page = await store.list(collection, {
      prefix: `${worldId}/`,
      limit: pageLimit,
      ...(cursor !== undefined && { cursor }),
    })
    found.push(...page.records)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

/** The same collection, without a look at its values. */
const anyValue: Collection<null> = { name: metricDays.name, parse: () => null }
const writesMax = 10

/** Deletes the steps of a deleted world, also damaged ones. */
export const eraseDay = async (store: Pick<Store, 'list' | 'commit'>, worldId: string): Promise<void> => {
  const ids = (await listAll(store, anyValue, worldId)).map(({ id }) => id)
  for (let at = 0; at < ids.length; at += writesMax)
    await store.commit(ids.slice(at, at + writesMax).map((id) => ({ kind: 'delete', collection: metricDays.name, id })))
}

export const createDayRecords = (store: Pick<Store, 'list' | 'put'>, log: Pick<Log, 'warn'>): DayRecords => ({
  load: async (worldId, nowMs) => {
    try {
      return (await listAll(store, metricDays, worldId))
        .map(({ value }) => value)
        .filter(({ at }) => Date.parse(at) > nowMs - dayMs && Date.parse(at) <= nowMs)
        .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    } catch (error) {
      log.warn({ err: error, worldId }, 'the metrics of the last day cannot be read; the charts begin again')
      return []
    }
  },
  keep: async (worldId, step) => {
    await store.put(metricDays, idOf(worldId, Math.floor(Date.parse(step.at) / stepMs) % dayStepsKept), step)
  },
})
