import type { Account } from '../accounts/account.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { Backups } from '../backups/backup.ts'
import type { Keep } from '../backups/choose-kept.ts'
import type { ConfigFiles } from '../configs/texts/config-files.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Tracing } from '../kernel/tracing.ts'
import type { Store } from '../storage/store.ts'
import type { MoveDeps, WorldMoves } from '../world-moves/world-moves.ts'
import type { ChunkStore } from '../worlds/store/chunk-store.ts'

export type StorageDeps = {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly tracing?: Tracing
  /** The file with the default of `server.yaml`; the bundled one when absent. */
  readonly serverDefaults?: string | undefined
}

export type AccountStoreNeeds = {
  /** Whether the account can administer, by the groups in force at this moment. */
  readonly isAdministrator: (account: Account) => boolean
  /** The audit log of the store beside. */
  readonly audit: AuditLog
}

export type WorldMoveNeeds = Pick<MoveDeps, 'store' | 'worlds' | 'chunks' | 'zones' | 'jobs' | 'accountStore' | 'events'>

/** Where everything lies that outlives the processes. */
export type StorageAdapters = {
  readonly store: Store
  readonly chunks: ChunkStore
  readonly configFiles: ConfigFiles
  createAccountStore(needs: AccountStoreNeeds): AccountStore
  /** Of a data folder only; which stay when another is made. */
  createBackups?(keep: () => Keep): Backups
  /** Of a data folder only. */
  createWorldMoves?(needs: WorldMoveNeeds): WorldMoves
  /** All but the account store, which comes before. */
  close(): Promise<void>
}
