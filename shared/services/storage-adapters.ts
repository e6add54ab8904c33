import type { Account } from '../domain/accounts/account.ts'
import type { AccountStore } from '../domain/accounts/store/account-store.ts'
import type { AuditLog } from '../domain/audit/audit-log.ts'
import type { Backups, Keep } from '../domain/backups/backup.ts'
import type { ConfigFiles } from '../domain/configs/texts/config-files.ts'
import type { WorldImportsDeps } from '../domain/world-moves/files/import/create-world-imports.ts'
import type { WorldImports } from '../domain/world-moves/world-imports.ts'
import type { MoveDeps, WorldMoves } from '../domain/world-moves/world-moves.ts'
import type { ChunkStore } from '../domain/worlds/store/chunk-store.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Store } from '../platform/storage/store.ts'

export type StorageDeps = {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** The file with the default of `server.yaml`; the bundled one when absent. */
  readonly serverDefaults?: string | undefined
}

export type AccountStoreNeeds = {
  /** Whether the account can administer, with the current groups. */
  readonly isAdministrator: (account: Account) => boolean
  /** The audit log of the same store. */
  readonly audit: AuditLog
}

export type WorldMoveNeeds = Pick<MoveDeps, 'store' | 'worlds' | 'chunks' | 'zones' | 'jobs' | 'accountStore' | 'events'>

export type WorldImportNeeds = Pick<WorldImportsDeps, 'store' | 'worlds' | 'jobs' | 'createRegistry' | 'moduleStates' | 'pause'>

/** The storage for all data that outlives the processes. */
export type StorageAdapters = {
  readonly store: Store
  readonly chunks: ChunkStore
  readonly configFiles: ConfigFiles
  createAccountStore(needs: AccountStoreNeeds): AccountStore
  /** For a data folder only. `keep` says which backups stay when a new one is made. */
  createBackups?(keep: () => Keep): Backups
  /** For a data folder only. */
  createWorldMoves?(needs: WorldMoveNeeds): WorldMoves
  /** For a data folder only. */
  createWorldImports?(needs: WorldImportNeeds): WorldImports
  /** Closes everything but the account store, which must be closed first. */
  close(): Promise<void>
}
