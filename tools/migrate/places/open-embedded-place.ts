import { realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createYamlAccountStore } from '../../../shared/domain/accounts/store/users-file/yaml-account-store.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { createRevisionLog } from '../../../shared/domain/configs/texts/config-files-revisions.ts'
import { createEmbeddedConfigTarget } from '../../../shared/domain/configs/texts/embedded/config-files-embedded-move.ts'
import { acquireLease } from '../../../shared/domain/worlds/leases/acquire-lease.ts'
import { createLmdbChunkStore } from '../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { readLeaseHolder } from '../../../shared/platform/process/lease-holder.ts'
import { prepareDataFolder } from '../../../shared/platform/storage/files/data-folder.ts'
import { type HeldFileLock, holdFileLock } from '../../../shared/platform/storage/files/file-lock.ts'
import { resourcePath } from '../../../shared/platform/storage/files/resource-path.ts'
import { refuseHalfRestored } from '../../../shared/platform/storage/files/restore-marker.ts'
import { createLmdbStore } from '../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import type { StorageDeps } from '../../../shared/services/storage-adapters.ts'
import type { SourcePlace, TargetPlace } from './place.ts'

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const isFolder = async (path: string): Promise<boolean> => (await stat(path)).isDirectory()

const leasePath = (dataDir: string, worldName: string): string => join(dataDir, 'worlds', `${worldName}.lease`)

/** The common part of both directions, on a Store and a ChunkStore that may be writable. */
const createPlace = (dataDir: string, store: Store, isReadOnly: boolean, deps: StorageDeps) => {
  const { clock, ids, log } = deps
  const configDir = join(dataDir, 'config')
  const chunks = createLmdbChunkStore({ path: join(dataDir, 'worlds'), isReadOnly })
  const accounts = createYamlAccountStore({
    clock,
    log,
    path: join(configDir, 'users.yaml'),
    audit: createStoreAuditLog(store),
    // The migration makes no decision that depends on administrators.
    isAdministrator: () => false,
  })
  const revisionLog = createRevisionLog(store, ids)
  const configs = createEmbeddedConfigTarget({ configDir, bundledDir: resourcePath('config'), revisionLog })
  const locks: HeldFileLock[] = []
  return {
    kind: 'embedded' as const,
    label: `the data folder ${dataDir}`,
    store,
    chunks,
    accounts,
    configs,
    holdWorld: async (worldName: string): Promise<boolean> => {
      const path = leasePath(dataDir, worldName)
      // To create the lock of a world that has never run would write to the source.
      if (!(await isThere(`${path}.lock`))) return true
      const lock = holdFileLock(path)
      if (lock === undefined) return false
      if (isReadOnly) locks.push(lock)
      // A world of the target gets its lease, which needs the same lock.
      else lock.release()
      return true
    },
    close: async () => {
      for (const lock of locks) lock.release()
      await accounts.close()
      await chunks.close()
      await store.close()
    },
  }
}

/** The data folder as a source, opened read-only. Only LMDB's table of readers changes. */
export const openEmbeddedSource = async (dataDir: string, deps: StorageDeps): Promise<SourcePlace> => {
  const path = resolve(dataDir)
  if (!(await isThere(path)))
    throw new AppError('not-found', 'not-found', 'There is no data folder at DATA_DIR. Set DATA_DIR to your data folder.')
  if (!(await isFolder(path)))
    throw new AppError(
      'invalid',
      'bad-request',
      `The data folder ${path} (DATA_DIR) cannot be used: it is a file. Set DATA_DIR to a folder.`,
    )
  refuseHalfRestored(path)
  const records = join(path, 'records')
  // A folder without records still has configs and accounts.
  const isUsed = await isThere(join(records, 'data.mdb'))
  const store = isUsed ? createLmdbStore({ path: records, ids: deps.ids, isReadOnly: true }) : createMemoryStore()
  return { ...createPlace(path, store, true, deps), identity: `embedded ${await realpath(path)}` }
}

/** The data folder as a target, created when absent. */
export const openEmbeddedTarget = async (dataDir: string, deps: StorageDeps): Promise<TargetPlace> => {
  const { clock, ids, log } = deps
  const path = resolve(dataDir)
  await prepareDataFolder(path)
  refuseHalfRestored(path)
  const store = createLmdbStore({ path: join(path, 'records'), ids })
  const holder = await readLeaseHolder(path)
  return {
    ...createPlace(path, store, false, deps),
    identity: `embedded ${await realpath(path)}`,
    machineId: holder.machineId,
    acquireLease: (worldName) =>
      acquireLease({ store, clock, ids, log, worldName, holder, lockPath: leasePath(path, worldName) }),
  }
}
