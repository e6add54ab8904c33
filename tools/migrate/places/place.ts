import type { AccountStore } from '../../../shared/domain/accounts/store/account-store.ts'
import type { ConfigSource, ConfigTarget } from '../../../shared/domain/configs/texts/config-move.ts'
import type { WorldLease } from '../../../shared/domain/worlds/leases/world-lease.ts'
import type { ChunkStore } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'

/** The kinds of places that can have all data of a server. */
export const placeKinds = ['embedded', 'dynamodb'] as const
export type PlaceKind = (typeof placeKinds)[number]

/** A read-only place. */
export type SourcePlace = {
  readonly kind: PlaceKind
  /** The name for people. */
  readonly label: string
  /** Distinguishes it from every other place. */
  readonly identity: string
  readonly store: Pick<Store, 'get' | 'list'>
  readonly chunks: Pick<ChunkStore, 'getMany' | 'getSide' | 'listSide' | 'discovered' | 'stats' | 'listSetAside'>
  readonly accounts: Pick<AccountStore, 'listAccounts'>
  readonly configs: ConfigSource
  /** False when a node of this machine runs the world. Otherwise, at a source, no node can run it until `close`. */
  holdWorld(worldName: string): Promise<boolean>
  close(): Promise<void>
}

/** The target of a move. */
export type TargetPlace = SourcePlace & {
  readonly store: Store
  readonly chunks: ChunkStore
  readonly accounts: AccountStore
  readonly configs: ConfigTarget
  /** Leases with this id belong to this machine. */
  readonly machineId: string
  /** Throws AppError `conflict` (`world-held`) with the name of the holder. */
  acquireLease(worldName: string): Promise<WorldLease>
}
