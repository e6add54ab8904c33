import { expectServerDefaults } from '../domain/configs/texts/embedded/default-path.ts'
import type { Environment } from '../platform/process/environment.ts'
import type { StorageAdapters, StorageDeps } from './storage-adapters.ts'

/** Opens the data folder, or DynamoDB if the environment says so. Loads only the modules of one of them. */
export const openStorage = async (
  environment: Environment,
  given: Omit<StorageDeps, 'serverDefaults'>,
): Promise<StorageAdapters> => {
  const { serverDefaults } = environment
  if (serverDefaults !== undefined) await expectServerDefaults(serverDefaults)
  const deps = { ...given, serverDefaults }
  if (environment.dynamodb !== undefined) {
    const { openDynamoStorage, taskPatience } = await import('./dynamodb.ts')
    return openDynamoStorage(environment.dynamodb, deps, environment.role === 'task' ? taskPatience : {})
  }
  const { openEmbeddedStorage, createFolderBackups, createFolderWorldImports, createFolderWorldMoves } = await import(
    './embedded.ts'
  )
  const adapters = await openEmbeddedStorage(environment.dataDir, deps)
  return {
    ...adapters,
    createBackups: (keep) => createFolderBackups({ ...environment, ...deps, keep }),
    createWorldMoves: (needs) => createFolderWorldMoves(environment, deps, needs),
    createWorldImports: (needs) => createFolderWorldImports(environment, deps, needs),
  }
}
