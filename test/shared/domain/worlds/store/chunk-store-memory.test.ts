import { describeChunkStore } from '../../../../contracts/chunk-store-contract.ts'
import { createMemoryChunkStore } from '../../../../support/worlds/chunk-store-memory.ts'

describeChunkStore('in memory', async () => {
  const store = createMemoryChunkStore()
  return { store, dispose: () => store.close() }
})
