import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { describeStore } from '../../../../contracts/store-contract.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'

describeStore('in LMDB', async () => {
  const dir = await createTempDir()
  const store = createLmdbStore({ path: dir.path, ids: systemIds })
  return {
    store,
    dispose: async () => {
      await store.close()
      await dir.remove()
    },
  }
})
