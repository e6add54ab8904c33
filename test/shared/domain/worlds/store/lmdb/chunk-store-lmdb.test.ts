import { createLmdbChunkStore } from '../../../../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { describeChunkStore } from '../../../../../contracts/chunk-store-contract.ts'
import { createTempDir } from '../../../../../support/processes/temp-dir.ts'

describeChunkStore('in LMDB', async () => {
  const dir = await createTempDir()
  const store = createLmdbChunkStore({ path: dir.path })
  return {
    store,
    dispose: async () => {
      await store.close()
      await dir.remove()
    },
  }
})
