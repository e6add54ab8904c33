import { Type } from '@sinclair/typebox'
import type { Clock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { createCollection, type Store, type Version } from '../storage/store.ts'

const ConfigReloads = createCollection(
  'config-reloads',
  Type.Object({ count: Type.Integer({ minimum: 1 }), at: Type.String({ description: 'ISO 8601, UTC.' }) }),
)
const recordId = 'latest'

/** What the Store knows of reloads: a version that changes with each, `null` before the first. */
export type ReloadCounter = {
  read(): Promise<Version | null>
  /** The version after one more reload; undefined when another process reloaded since `seen`. */
  bump(seen: Version | null): Promise<Version | undefined>
}

/** Counts the reloads of all processes on one Store, so that none is missed where an event is lost. */
export const createReloadCounter = (store: Store, clock: Clock): ReloadCounter => ({
  read: async () => (await store.get(ConfigReloads, recordId))?.version ?? null,
  bump: async (seen) => {
    const count = ((await store.get(ConfigReloads, recordId))?.value.count ?? 0) + 1
    try {
      return await store.put(ConfigReloads, recordId, { count, at: new Date(clock.now()).toISOString() }, { ifVersion: seen })
    } catch (error) {
      if (error instanceof AppError && error.kind === 'conflict') return undefined
      throw error
    }
  },
})
