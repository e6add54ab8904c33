import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { describeStore } from '../../../contracts/store-contract.ts'

describeStore('in memory', async () => {
  const store = createMemoryStore()
  return { store, dispose: () => store.close() }
})
