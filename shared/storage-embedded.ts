import { join } from 'node:path'
import { createYamlAccountStore } from './accounts/yaml-account-store.ts'
import { createEmbeddedConfigFiles } from './configs/config-files-embedded.ts'
import { createLmdbStore } from './storage/lmdb.ts'
import { resourcePath } from './storage/resource-path.ts'
import type { StorageAdapters, StorageDeps } from './storage-adapters.ts'
import { createLmdbChunkStore } from './worlds/chunk-store-lmdb.ts'

/** LMDB and YAML files in `dataDir`. Throws AppError for a folder that cannot be used. */
export const openEmbeddedStorage = (dataDir: string, { clock, ids, log }: StorageDeps): StorageAdapters => {
  const store = createLmdbStore({ path: join(dataDir, 'records'), ids })
  const chunks = createLmdbChunkStore({ path: join(dataDir, 'worlds') })
  return {
    store,
    chunks,
    configFiles: createEmbeddedConfigFiles({ dataDir, bundledDir: resourcePath('config'), store, clock, ids }),
    createAccountStore: (needs) => createYamlAccountStore({ ...needs, path: join(dataDir, 'config', 'users.yaml'), clock, log }),
    close: async () => {
      await chunks.close()
      await store.close()
    },
  }
}
