import { AppError } from '../../../kernel/errors.ts'
import type { Collection, Store, StoredRecord } from '../../../platform/storage/store.ts'
import { putWrite } from '../../../platform/storage/store.ts'
import type { DataKind } from './data-kind.ts'
import { type Aside, type DataRecord, isAside, type ModuleData, moduleSetAside } from './module-data.ts'

/** Stored values of one declaration: their ids start with `prefix`. */
export type DataGroup = { readonly collection: Collection<unknown>; readonly prefix: string; readonly kind: DataKind }

export type RestoredData = {
  /** The restored values by id. */
  readonly values: ReadonlyMap<string, DataRecord>
  /** The number of values that stay set aside. */
  readonly remaining: number
}

const restoresAtOnce = 20

/**
 * Puts values that were set aside back if this declaration can read them, newest first. A readable stored value stays, and an
 * unreadable one is set aside. Throws AppError `unavailable`.
 */
export const restoreSetAside = async (store: Store, data: ModuleData, group: DataGroup): Promise<RestoredData> => {
  const { collection, kind } = group
  const asides = new Map<string, StoredRecord<Aside>[]>()
  let count = 0
  let cursor: string | undefined
  do {
    const prefix = `${collection.name}/${group.prefix}`
    const page = await store.list(moduleSetAside, { prefix, limit: 1000, ...(cursor !== undefined && { cursor }) })
    count += page.records.length
    for (const { id, version, value } of page.records)
      if (isAside(value) && kind.read(value.stored).ok)
        asides.set(value.id, [...(asides.get(value.id) ?? []), { id, version, value }])
    cursor = page.nextCursor
  } while (cursor !== undefined)

  const values = new Map<string, DataRecord>()
  const restore = async (id: string, [first, ...others]: readonly StoredRecord<Aside>[]): Promise<void> => {
    if (first === undefined || (await data.read({ collection, id, kind })) !== undefined) return
    const newest = others.reduce((found, other) => (other.value.at > found.value.at ? other : found), first)
    const { stored } = newest.value
    const reading = kind.read(stored)
    if (!reading.ok) return
    try {
      const [version] = await store.commit([
        putWrite(collection, id, stored, { ifVersion: null }),
        { kind: 'delete', collection: moduleSetAside.name, id: newest.id, ifVersion: newest.version },
      ])
      values.set(id, { value: reading.value, dataVersion: reading.version, version: version ?? '' })
    } catch (error) {
      // A value was written since then. It stays.
      if (!(error instanceof AppError && error.kind === 'conflict')) throw error
    }
  }
  const all = [...asides]
  for (let at = 0; at < all.length; at += restoresAtOnce)
    await Promise.all(all.slice(at, at + restoresAtOnce).map(([id, found]) => restore(id, found)))
  return { values, remaining: count - values.size }
}
