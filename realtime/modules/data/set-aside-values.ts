import {
  type DataKey,
  type DataRecord,
  type ModuleData,
  modulePlayers,
  moduleRecords,
  moduleSetAside,
  moduleStates,
  recordId,
  type SetAside,
} from '../../../shared/domain/modules/data/module-data.ts'
import { type DataGroup, restoreSetAside } from '../../../shared/domain/modules/data/restore-set-aside.ts'
import type { LoadedSpec } from '../../../shared/domain/modules/module-spec.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import type { ModuleKinds } from './module-kinds.ts'

type Spec = Pick<LoadedSpec, 'name' | 'declare'>

const reportEveryMs = 60_000

export const moduleOf = (id: string): string => id.split('/', 1)[0] ?? ''

export const nameOfData = ({ collection, id }: Pick<DataKey, 'collection' | 'id'>): string => `${collection.name}/${id}`

/** Reports values that are set aside: each module at most once a minute, with the number of its values. */
export const createSetAsideReports = (report: (module: string, what: string) => void) => {
  const noted = new Map<string, { count: number; readonly first: SetAside }>()
  const counts = new Map<string, number>()
  let dueMs = Number.NEGATIVE_INFINITY
  return {
    note: (aside: SetAside): void => {
      const known = noted.get(moduleOf(aside.id)) ?? { count: 0, first: aside }
      known.count += 1
      noted.set(moduleOf(aside.id), known)
      counts.set(moduleOf(aside.id), (counts.get(moduleOf(aside.id)) ?? 0) + 1)
    },
    /** The values of a module that are set aside: those of its last load, and those since then. */
    countOf: (module: string): number => counts.get(module) ?? 0,
    /** Replaces the number when a module is loaded. */
    setCount: (module: string, count: number): void => void counts.set(module, count),
    step: (nowMs: number): void => {
      if (noted.size === 0 || nowMs < dueMs) return
      dueMs = nowMs + reportEveryMs
      for (const [module, { count, first }] of noted) {
        const values = count === 1 ? '1 stored value does' : `${count} stored values do`
        report(module, `${values} not fit and went to module-set-aside, for example ${first.id}: ${first.fault}`)
      }
      noted.clear()
    },
  }
}

const groupsOf = ({ name }: Spec, { player, state, records }: ModuleKinds): readonly DataGroup[] => {
  const prefix = `${name}/`
  return [
    ...(player === undefined ? [] : [{ collection: modulePlayers, prefix, kind: player }]),
    ...(state === undefined ? [] : [{ collection: moduleStates, prefix, kind: state }]),
    ...Array.from(records, ([record, kind]) => ({ collection: moduleRecords, prefix: recordId(name, record, ''), kind })),
  ]
}

/**
 * Restores the values in `module-set-aside` that fit the schemas of these modules. Returns them by `nameOfData`. `counted` is called for
 * each module with the number of the others.
 */
export const restoreModules = async (
  { store, data, log }: { readonly store: Store; readonly data: ModuleData; readonly log: Log },
  specs: readonly Spec[],
  kindsOf: (spec: Spec) => ModuleKinds,
  counted: (module: string, remaining: number) => void,
): Promise<ReadonlyMap<string, DataRecord>> => {
  const found = new Map<string, DataRecord>()
  const { records: some } = await store.list(moduleSetAside, { limit: 1 })
  if (some.length === 0) {
    for (const { name } of specs) counted(name, 0)
    return found
  }
  for (const spec of specs) {
    let remaining = 0
    let restored = 0
    for (const group of groupsOf(spec, kindsOf(spec))) {
      const result = await restoreSetAside(store, data, group)
      for (const [id, record] of result.values) found.set(nameOfData({ collection: group.collection, id }), record)
      remaining += result.remaining
      restored += result.values.size
    }
    counted(spec.name, remaining)
    if (restored > 0) log.info({ module: spec.name, restored, remaining }, 'values that were set aside fit again and are back')
    if (remaining > 0)
      log.warn(
        { module: spec.name, remaining, list: `/api/admin/modules/${spec.name}/set-aside` },
        'a module has values in module-set-aside',
      )
  }
  return found
}
