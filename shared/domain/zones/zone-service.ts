import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Store, Version } from '../../platform/storage/store.ts'
import type { AuditActor } from '../accounts/account-audit.ts'
import type { Actor } from '../accounts/actor.ts'
import type { Configs } from '../configs/in-force/configs.ts'
import type { ChunkStore } from '../worlds/store/chunk-store.ts'
import type { WorldService } from '../worlds/world-service.ts'
import type { ClipPlanes, ShortcutBarPages, Zone, ZoneChunks, ZoneRules, ZoneSchedule } from './zone.ts'

export type ZoneServiceDeps = {
  readonly store: Store
  readonly chunks: Pick<ChunkStore, 'hasMany'>
  readonly worlds: Pick<WorldService, 'findWorld' | 'getWorld'>
  readonly configs: Pick<Configs, 'get'>
  readonly events: Pick<EventBus, 'publish'>
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

/** A zone and the version that `If-Match` speaks of. */
export type VersionedZone = { readonly zone: Zone; readonly version: Version }

/** Why the blocks of a zone cannot be read at this moment, in words fit for the public. */
export type ListedZone = { readonly zone: Zone; readonly warning?: string }

export type NewZone = Pick<Zone, 'name' | 'yMin' | 'yMax'> & {
  readonly chunks: ZoneChunks
  /** The active world when absent. */
  readonly world?: string
}

/** What may be changed, each by a route of its own. */
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
 * - a name of 1 to 64 characters after trimming, and `yMin` below `yMax`;
 * - distinct, generated columns, else `unprocessable` `chunks-not-generated`, which names them;
 * - no two zones of a world, disabled ones included, on one column at heights that meet, else `conflict` `zone-overlap`.
 *
 * Checks and write are one step. Each change is audited in the same commit,
 * published as an event `zones-changed`, and durable when it resolves.
 */
export type ZoneService = {
  /** Oldest first; of one world (`not-found` for one that does not exist) or of all. One that cannot be read is left out, and logged. */
  listZones(world?: string): Promise<readonly ListedZone[]>
  /** Throws `not-found`. */
  getZone(id: string): Promise<VersionedZone>
  /** `getZone`, and why its blocks cannot be read where that is so. */
  describeZone(id: string): Promise<VersionedZone & ListedZone>
  createZone(actor: Actor, input: NewZone): Promise<VersionedZone>
  /** Throws `not-found`, and `stale` when `ifMatch` is not the zone's version. One that changes nothing is answered as it is. */
  changeZone(actor: Actor, id: string, change: ZoneChange, ifMatch?: string): Promise<VersionedZone>
  /** Puts a zone that was removed back as it was, its id included. Throws as `createZone`, and `conflict` `already-exists`. */
  restoreZone(actor: Actor, zone: Zone): Promise<VersionedZone>
  /** Throws as `changeZone`; removes one that cannot be read too. */
  removeZone(actor: AuditActor, id: string, ifMatch?: string): Promise<void>
}
