import { createMemoryChunkStore } from '../../../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { describeChunkStore } from '../../../../contracts/chunk-store-contract.ts'

describeChunkStore('in memory', async () => {
  const store = createMemoryChunkStore()
  return { store, dispose: () => store.close() }
})
