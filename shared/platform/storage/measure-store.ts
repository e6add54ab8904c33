import { createMeasure, type MeasureDeps } from '../metrics/measure-operation.ts'
import type { Store } from './store.ts'

export const measureStore = (store: Store, deps: MeasureDeps): Store => {
  const measure = createMeasure('store', deps)
  return {
    get: (collection, id) => measure('get', () => store.get(collection, id)),
    put: (collection, id, value, precondition) => measure('put', () => store.put(collection, id, value, precondition)),
    delete: (collection, id, precondition) => measure('delete', () => store.delete(collection, id, precondition)),
    list: (collection, options) => measure('list', () => store.list(collection, options)),
    commit: (writes) => measure('commit', () => store.commit(writes)),
    close: store.close,
  }
}
