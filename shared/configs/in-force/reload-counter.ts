import { Type } from '@sinclair/typebox'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { createCollection, type Store, type Version } from '../../storage/store.ts'
import { configNames, isConfigName } from '../catalogue.ts'
import type { ConfigName } from '../declare/config-values.ts'

const ConfigReloads = createCollection(
  'config-reloads',
  Type.Object({
    count: Type.Integer({ minimum: 1 }),
    at: Type.String({ description: 'ISO 8601, UTC.' }),
    names: Type.Optional(Type.Array(Type.String(), { description: 'Of the files that were read again; all when absent.' })),
  }),
)
const recordId = 'latest'

/** The last reload of any process; count 0 and version `null` before the first. */
export type LastReload = {
  readonly version: Version | null
  readonly count: number
  readonly names: readonly ConfigName[]
}

/** What the Store knows of reloads: a version that changes with each. */
export type ReloadCounter = {
  read(): Promise<LastReload>
  /** One more reload, of these files; undefined when another process reloaded since `seen`. */
  bump(seen: LastReload, names: readonly ConfigName[]): Promise<LastReload | undefined>
}

/** Counts the reloads of all processes on one Store, so that none is missed where an event is lost. */
export const createReloadCounter = (store: Store, clock: Clock): ReloadCounter => ({
  read: async () => {
    const record = await store.get(ConfigReloads, recordId)
    if (record === undefined) return { version: null, count: 0, names: [] }
    const { count, names = configNames } = record.value
    return { version: record.version, count, names: names.filter(isConfigName) }
  },
  bump: async (seen, names) => {
    const next = { count: seen.count + 1, at: new Date(clock.now()).toISOString(), names: [...names] }
    try {
      return { version: await store.put(ConfigReloads, recordId, next, { ifVersion: seen.version }), count: next.count, names }
    } catch (error) {
      if (error instanceof AppError && error.kind === 'conflict') return undefined
      throw error
    }
  },
})
