import { createStoreAccountStore } from '../domain/accounts/store/records/record-account-store.ts'
import { createStoreConfigFiles } from '../domain/configs/texts/config-files-store.ts'
import { decodeConfig, readFileOnDisk } from '../domain/configs/texts/embedded/config-file-on-disk.ts'
import { createDefaultPath } from '../domain/configs/texts/embedded/default-path.ts'
import { createDynamoChunkStore } from '../domain/worlds/store/dynamodb/chunk-store-dynamodb.ts'
import { createDynamo, type DynamoPatience } from '../platform/storage/dynamodb/dynamodb-client.ts'
import { createDynamoStore } from '../platform/storage/dynamodb/dynamodb-store.ts'
import type { DynamoTarget } from '../platform/storage/dynamodb/dynamodb-target.ts'
import { resourcePath } from '../platform/storage/files/resource-path.ts'
import { traceDynamo } from '../platform/tracing/call-watch.ts'
import type { StorageAdapters, StorageDeps } from './storage-adapters.ts'

export { taskPatience } from '../platform/storage/dynamodb/dynamodb-client.ts'

/**
 * All data in the tables of `target`, except bundled configs. Connects with the first request. `patience` limits the time of a request.
 */
export const openDynamoStorage = (
  target: DynamoTarget,
  { clock, ids, log, serverDefaults }: StorageDeps,
  patience: DynamoPatience = {},
): StorageAdapters => {
  const dynamo = createDynamo({ target, ids, log, ...patience, watch: traceDynamo })
  const store = createDynamoStore({ dynamo, ids })
  const chunks = createDynamoChunkStore({ dynamo, ids })
  const pathOf = createDefaultPath(resourcePath('config'), serverDefaults)
  const readBundled = async (name: string): Promise<string | undefined> => {
    const file = await readFileOnDisk(pathOf(name), name)
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
