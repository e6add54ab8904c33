import { join } from 'node:path'
import { createStoreAccountStore } from './accounts/store-account-store.ts'
import { decodeConfig, readFileOnDisk } from './configs/config-files-embedded-text.ts'
import { createStoreConfigFiles } from './configs/config-files-store.ts'
import { noTracing } from './kernel/tracing.ts'
import { createDynamoStore } from './storage/dynamodb.ts'
import { createDynamo } from './storage/dynamodb-client.ts'
import type { DynamoTarget } from './storage/dynamodb-target.ts'
import { resourcePath } from './storage/resource-path.ts'
import type { StorageAdapters, StorageDeps } from './storage-adapters.ts'
import { watchDynamo } from './tracing/call-watch.ts'
import { createDynamoChunkStore } from './worlds/chunk-store-dynamodb.ts'

/** Everything in the tables of `target`, the bundled configs apart, which come with the program. Connects with the first request. */
export const openDynamoStorage = (
  target: DynamoTarget,
  { clock, ids, log, tracing = noTracing }: StorageDeps,
): StorageAdapters => {
  const dynamo = createDynamo({ target, ids, log, watch: watchDynamo({ tracing }) })
  const store = createDynamoStore({ dynamo, ids })
  const chunks = createDynamoChunkStore({ dynamo, ids })
  const bundledDir = resourcePath('config')
  const readBundled = async (name: string): Promise<string | undefined> => {
    const file = await readFileOnDisk(join(bundledDir, name), name)
    return file && decodeConfig(file.bytes, name)
  }
  return {
    store,
    chunks,
    configFiles: createStoreConfigFiles({ store, readBundled, clock, ids }),
    createAccountStore: ({ isAdministrator }) => createStoreAccountStore({ store, isAdministrator }),
    close: async () => {
      await chunks.close()
      await store.close()
      dynamo.close()
    },
  }
}
