import { join } from 'node:path'
import { createYamlAccountStore } from '../domain/accounts/store/users-file/yaml-account-store.ts'
import { createBackups } from '../domain/backups/files/create-backups.ts'
import { createEmbeddedConfigFiles } from '../domain/configs/texts/embedded/config-files-embedded.ts'
import { furnishFreshFolder } from '../domain/configs/texts/embedded/config-files-embedded-starter.ts'
import { createWorldMoves } from '../domain/world-moves/files/create-world-moves.ts'
import { createWorldImports } from '../domain/world-moves/files/import/create-world-imports.ts'
import type { WorldImports } from '../domain/world-moves/world-imports.ts'
import type { WorldMoves } from '../domain/world-moves/world-moves.ts'
import { acquireLease } from '../domain/worlds/leases/acquire-lease.ts'
import type { WorldRef } from '../domain/worlds/store/chunk-store.ts'
import { createLmdbChunkStore } from '../domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import type { Environment } from '../platform/process/environment.ts'
import { readLeaseHolder } from '../platform/process/lease-holder.ts'
import { prepareDataFolder } from '../platform/storage/files/data-folder.ts'
import { resourcePath } from '../platform/storage/files/resource-path.ts'
import { refuseHalfRestored } from '../platform/storage/files/restore-marker.ts'
import { createLmdbStore } from '../platform/storage/lmdb/lmdb-store.ts'
import type { Store } from '../platform/storage/store.ts'
import type { StorageAdapters, StorageDeps, WorldImportNeeds, WorldMoveNeeds } from './storage-adapters.ts'

/** LMDB and YAML files in `dataDir`. A new folder gets the starter configs. Throws AppError for an unusable folder. */
export const openEmbeddedStorage = async (
  dataDir: string,
  { clock, ids, log, serverDefaults }: StorageDeps,
): Promise<StorageAdapters> => {
  await prepareDataFolder(dataDir)
  refuseHalfRestored(dataDir)
  await furnishFreshFolder(dataDir, resourcePath('starter'))
  const store = createLmdbStore({ path: join(dataDir, 'records'), ids })
  const chunks = createLmdbChunkStore({ path: join(dataDir, 'worlds') })
  return {
    store,
    chunks,
    configFiles: createEmbeddedConfigFiles({ dataDir, bundledDir: resourcePath('config'), serverDefaults, store, clock, ids }),
    createAccountStore: (needs) => createYamlAccountStore({ ...needs, path: join(dataDir, 'config', 'users.yaml'), clock, log }),
    close: async () => {
      await chunks.close()
      await store.close()
    },
  }
}

/** Separate from the storage above, because functions in AWS have no backups. */
export const createFolderBackups = createBackups

type LeaseDeps = Pick<StorageDeps, 'clock' | 'ids' | 'log'> & { readonly store: Store; readonly dataDir: string }

const acquireFolderLease =
  ({ store, clock, ids, log, dataDir }: LeaseDeps) =>
  async ({ name }: WorldRef) => {
    const lockPath = join(dataDir, 'worlds', `${name}.lease`)
    return acquireLease({ store, clock, ids, log, worldName: name, lockPath, holder: await readLeaseHolder(dataDir) })
  }

/** Imports of uploaded worlds into `dataDir`. */
export const createFolderWorldImports = (
  { dataDir }: Pick<Environment, 'dataDir'>,
  { clock, ids, log }: StorageDeps,
  needs: WorldImportNeeds,
): WorldImports =>
  createWorldImports({
    ...needs,
    clock,
    ids,
    worldsDir: join(dataDir, 'worlds'),
    acquireLease: acquireFolderLease({ store: needs.store, clock, ids, log, dataDir }),
    openChunks: (path) => createLmdbChunkStore({ path }),
  })

/** Moves of the worlds in `dataDir`, each under the lease of its world. */
export const createFolderWorldMoves = (
  { dataDir, worldNames }: Pick<Environment, 'dataDir' | 'worldNames'>,
  { clock, ids, log }: StorageDeps,
  needs: WorldMoveNeeds,
): WorldMoves => {
  const { store, worlds, chunks, zones, jobs, accountStore, events } = needs
  return createWorldMoves({
    store,
    worlds,
    chunks,
    zones,
    jobs,
    accountStore,
    events,
    clock,
    ids,
    acquireLease: acquireFolderLease({ store, clock, ids, log, dataDir }),
    dataDir,
    activeNames: worldNames,
    eraseTables: undefined,
  })
}
