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

/** Moves of whole worlds that no node runs; without an actor the operator at the machine does it. */
export type WorldMoves = {
  /** Into the trash folder, or with `now` for good. */
  readonly deleteWorld: (asked: { readonly name: string; readonly now?: boolean }, actor?: JobActor) => Promise<Deleted>
  readonly renameWorld: (names: { readonly from: string; readonly to: string }, actor?: JobActor) => Promise<Pointers>
  /** Undefined where the folder is none of the trash. */
  readonly returnWorld: (asked: { readonly folder: string; readonly name: string }) => Promise<WorldRecord | undefined>
  /** Whether `GAME_WORLD_NAME` selects that name. */
  readonly isActive: (name: string) => boolean
  /** Folders of worlds that the records do not know, a line each. */
  readonly describeStrays: () => Promise<readonly string[]>
}
