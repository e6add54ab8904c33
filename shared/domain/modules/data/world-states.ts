import { listFirstParts } from '../../../platform/storage/list-first-parts.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { isStoredData, type StoredData } from './data-kind.ts'
import { moduleStates, stateId } from './module-data.ts'

/** The states of modules in worlds that no node runs, or as a node last wrote them. */
export type WorldStates = {
  /** By name of the module. */
  list(worldId: string): Promise<Readonly<Record<string, StoredData>>>
  put(worldId: string, states: Readonly<Record<string, StoredData>>): Promise<void>
  /** For a world that is deleted permanently. */
  erase(worldId: string): Promise<void>
}

export const createWorldStates = (store: Pick<Store, 'get' | 'put' | 'delete' | 'list'>): WorldStates => ({
  list: async (worldId) => {
    const states: Record<string, StoredData> = {}
    for (const module of await listFirstParts(store, moduleStates.name)) {
      const stored = (await store.get(moduleStates, stateId(module, worldId)))?.value
      if (isStoredData(stored)) states[module] = { version: stored.version, value: stored.value }
    }
    return states
  },
  put: async (worldId, states) => {
    for (const [module, state] of Object.entries(states)) await store.put(moduleStates, stateId(module, worldId), state)
  },
  erase: async (worldId) => {
    for (const module of await listFirstParts(store, moduleStates.name))
      await store.delete(moduleStates, stateId(module, worldId))
  },
})
