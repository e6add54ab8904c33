import type { Log } from '../../kernel/log.ts'
import { type Collection, createCollection, type Store, type StoredRecord } from '../../platform/storage/store.ts'
import { dayStepSeconds, dayStepsKept, NodeStep } from './node-steps.ts'

/** By `<world id>/<slot>`. The slots are a ring of one day: a step replaces the step of the same time a day earlier. */
const metricDays = createCollection('metric-days', NodeStep)

const stepMs = dayStepSeconds * 1000
const dayMs = stepMs * dayStepsKept
const pageLimit = 1000

const idOf = (worldId: string, slot: number): string => `${worldId}/${String(slot).padStart(3, '0')}`

/** The steps of a world's day in the store, so that charts survive a restart. At most 720 small records for each world. */
export type DayRecords = {
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
