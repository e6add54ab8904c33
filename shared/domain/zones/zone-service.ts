import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Store, Version } from '../../platform/storage/store.ts'
import type { Actor } from '../accounts/actor.ts'
import type { AuditActor } from '../audit/audit-entry.ts'
import type { BlocksConfig } from '../worlds/blocks-config.ts'
import type { ChunkStore } from '../worlds/store/chunk-store.ts'
import type { WorldService } from '../worlds/world-service.ts'
import type { ClipPlanes, ShortcutBarPages, Zone, ZoneChunks, ZoneRules, ZoneSchedule } from './zone.ts'

/** The active configs, as far as zones need them. */
export type BlockConfigs = { get(name: 'blocks.yaml'): BlocksConfig }

export type ZoneServiceDeps = {
  readonly store: Store
  readonly chunks: Pick<ChunkStore, 'hasMany'>
  readonly worlds: Pick<WorldService, 'findWorld' | 'getWorld'>
  readonly configs: BlockConfigs
  readonly events: Pick<EventBus, 'publish'>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

/** A zone and its version, which `If-Match` uses. */
export type VersionedZone = { readonly zone: Zone; readonly version: Version }

/** A zone, with a public warning if its blocks cannot be read now. */
export type ListedZone = { readonly zone: Zone; readonly warning?: string }

export type NewZone = Pick<Zone, 'name' | 'yMin' | 'yMax'> & {
  readonly chunks: ZoneChunks
  /** The active world when absent. */
  readonly world?: string
}

/** A change of a zone. Each alternative has its own route. */
export type ZoneChange =
  | { readonly name?: string; readonly owner?: string }
  | { readonly yMin: number; readonly yMax: number }
  | { readonly chunks: ZoneChunks }
  | { readonly enabled: boolean }
  | { readonly rules: ZoneRules }
  | { readonly members: readonly string[] }
  | { readonly schedule: ZoneSchedule }
  | { readonly clipPlanes: ClipPlanes; readonly shortcutBarPages: ShortcutBarPages }

/**
 * Zones with their rules:
 * - A name has 1 to 64 characters after trimming, and `yMin` is below `yMax`.
 * - Columns are distinct and generated. Otherwise `unprocessable` `chunks-not-generated`, with the columns.
 * - No two zones of a world overlap, including disabled ones. Otherwise `conflict` `zone-overlap`.
 *
 * Checks and write are one atomic step. Each change is audited in the same commit, published as an event `zones-changed`, and durable
 * when it resolves.
 */
export type ZoneService = {
  /** Oldest first, of one world or of all. Throws `not-found` for an unknown world. Unreadable zones are logged and left out. */
  listZones(world?: string): Promise<readonly ListedZone[]>
  /** Throws `not-found`. */
  getZone(id: string): Promise<VersionedZone>
  /** As `getZone`, with a warning if its blocks cannot be read. */
  describeZone(id: string): Promise<VersionedZone & ListedZone>
  createZone(actor: Actor, input: NewZone): Promise<VersionedZone>
  /** Throws `not-found`, and `stale` if `ifMatch` is not the zone's version. A change without effect returns the zone unchanged. */
  changeZone(actor: Actor, id: string, change: ZoneChange, ifMatch?: string): Promise<VersionedZone>
  /** Restores a deleted zone with its id. Throws as `createZone`, and `conflict` `already-exists`. */
  restoreZone(actor: Actor, zone: Zone): Promise<VersionedZone>
  /** Throws as `changeZone`. Removes unreadable zones, too. */
  removeZone(actor: AuditActor, id: string, ifMatch?: string): Promise<void>
}
