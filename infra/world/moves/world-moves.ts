import type { AccountStore } from '../../../shared/accounts/store/account-store.ts'
import type { EventBus } from '../../../shared/events/event-bus.ts'
import type { JobService } from '../../../shared/jobs/job-service.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import type { Ids } from '../../../shared/kernel/ids.ts'
import type { Store } from '../../../shared/storage/store.ts'
import type { WorldLease } from '../../../shared/worlds/leases/world-lease.ts'
import type { ChunkStore, WorldRef } from '../../../shared/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../../shared/worlds/world.ts'
import type { WorldService } from '../../../shared/worlds/world-service.ts'
import type { ZoneService } from '../../../shared/zones/zone-service.ts'

/** What deleting, renaming and bringing back of worlds works with. */
export type MoveDeps = {
  readonly store: Store
  readonly worlds: WorldService
  readonly chunks: Pick<ChunkStore, 'stats'>
  readonly zones: Pick<ZoneService, 'listZones' | 'removeZone'>
  readonly jobs: Pick<JobService, 'cancel'>
  readonly accountStore: Pick<AccountStore, 'listAccounts' | 'change'>
  readonly events: Pick<EventBus, 'publish'>
  readonly clock: Clock
  readonly ids: Ids
  /** Throws AppError `conflict`, slug `world-held`, that names the holder. */
  readonly acquireLease: (world: WorldRef) => Promise<WorldLease>
  readonly dataDir: string
  /** Those that `GAME_WORLD_NAME` selects. */
  readonly activeNames: readonly string[]
  /** Takes all chunks of a world out of the tables; undefined where worlds are folders. */
  readonly eraseTables: ((world: WorldRef, fence: number) => Promise<void>) | undefined
}

/** What pointed at a world that left its name. */
export type Pointers = {
  /** Zones that went, or went along. */
  readonly zones: number
  /** Accounts with a grant for that world. */
  readonly accounts: number
}

/** `trash` is the folder that it lies in now. */
export type Deleted = Pointers & { readonly trash: string | undefined }

/** What a command needs to say of what else names the world. */
export type Moved<T> = T & { /** Whether `GAME_WORLD_NAME` selects the name that it had. */ readonly isActive: boolean }

/** Moves of whole worlds that nobody runs. */
export type WorldMoves = {
  readonly deleteWorld: (asked: { readonly name: string; readonly now: boolean }) => Promise<Moved<Deleted>>
  readonly renameWorld: (names: { readonly from: string; readonly to: string }) => Promise<Moved<Pointers>>
  /** Undefined where the folder is none of the trash. */
  readonly returnWorld: (asked: { readonly folder: string; readonly name: string }) => Promise<WorldRecord | undefined>
  /** What else an operator should know of names and folders, a line each. */
  readonly describeLeftovers: () => Promise<readonly string[]>
}
