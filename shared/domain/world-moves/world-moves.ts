import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import type { JobActor, JobService } from '../jobs/job-service.ts'
import type { WorldLease } from '../worlds/leases/world-lease.ts'
import type { ChunkStore, WorldRef } from '../worlds/store/chunk-store.ts'
import type { WorldRecord } from '../worlds/world.ts'
import type { WorldService } from '../worlds/world-service.ts'
import type { ZoneService } from '../zones/zone-service.ts'

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
  /** Throws AppError `conflict`, slug `world-held`, with the holder. */
  readonly acquireLease: (world: WorldRef) => Promise<WorldLease>
  readonly dataDir: string
  /** The names that `GAME_WORLD_NAME` selects. */
  readonly activeNames: readonly string[]
  /** Deletes all chunks of a world from the tables; undefined where worlds are folders. */
  readonly eraseTables: ((world: WorldRef, fence: number) => Promise<void>) | undefined
}

/** The records that referred to the old name of a world. */
export type Pointers = {
  /** Zones that were deleted or moved. */
  readonly zones: number
  /** Accounts with a grant for that world. */
  readonly accounts: number
}

/** `trash` is the folder that now contains the world. */
export type Deleted = Pointers & { readonly trash: string | undefined }

/** Deletes, renames and restores whole worlds that no node runs. The default actor is the operator on the command line. */
export type WorldMoves = {
  /** Moves the world into the trash folder, or with `now` deletes it permanently. */
  readonly deleteWorld: (asked: { readonly name: string; readonly now?: boolean }, actor?: JobActor) => Promise<Deleted>
  readonly renameWorld: (names: { readonly from: string; readonly to: string }, actor?: JobActor) => Promise<Pointers>
  /** Undefined if the folder is not one of the trash. */
  readonly returnWorld: (
    asked: { readonly folder: string; readonly name: string },
    actor?: JobActor,
  ) => Promise<WorldRecord | undefined>
  /** The path of a folder in the trash, whether or not it exists. */
  readonly trashFolder: (name: string) => string
  /** Whether `GAME_WORLD_NAME` selects that name. */
  readonly isActive: (name: string) => boolean
  /** Folders of worlds without a record, one line each. */
  readonly describeStrays: () => Promise<readonly string[]>
}
