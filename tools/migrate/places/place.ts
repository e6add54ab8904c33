import type { AccountStore } from '../../../shared/domain/accounts/store/account-store.ts'
import type { ConfigSource, ConfigTarget } from '../../../shared/domain/configs/texts/config-move.ts'
import type { WorldLease } from '../../../shared/domain/worlds/leases/world-lease.ts'
import type { ChunkStore } from '../../../shared/domain/worlds/store/chunk-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'

/** Where everything of a server can lie. */
export const placeKinds = ['embedded', 'dynamodb'] as const
export type PlaceKind = (typeof placeKinds)[number]

/** A place that everything is read from; there is no way to write to it. */
export type SourcePlace = {
  readonly kind: PlaceKind
  /** As a person would call it. */
  readonly label: string
  /** Tells it from every other place. */
  readonly identity: string
  readonly store: Pick<Store, 'get' | 'list'>
  readonly chunks: Pick<ChunkStore, 'getMany' | 'getSide' | 'listSide' | 'discovered' | 'stats' | 'listSetAside'>
  readonly accounts: Pick<AccountStore, 'listAccounts'>
  readonly configs: ConfigSource
  /** False when a node of this machine runs the world; else, at a source, none does until `close`. */
  holdWorld(worldName: string): Promise<boolean>
  close(): Promise<void>
}

/** A place that everything is moved to. */
export type TargetPlace = SourcePlace & {
  readonly store: Store
  readonly chunks: ChunkStore
  readonly accounts: AccountStore
  readonly configs: ConfigTarget
  /** Under this id a lease is one of this very machine. */
  readonly machineId: string
  /** Throws AppError `conflict`, slug `world-held`, that names who runs the world. */
  acquireLease(worldName: string): Promise<WorldLease>
}
