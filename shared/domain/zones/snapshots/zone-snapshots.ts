import type { AuditActor } from '../../audit/audit-entry.ts'
import type { ChunkRecord } from '../../worlds/store/chunk-store.ts'
import type { StoredSnapshot, ZoneSnapshot } from './snapshot.ts'

/** The facts about a snapshot before its blocks are known. */
export type SnapshotFacts = Pick<StoredSnapshot, 'id' | 'zone' | 'name' | 'at' | 'by' | 'yMin' | 'yMax'>

/** Writes a snapshot. */
export type SnapshotWriter = {
  /** Adds a complete column, with the number of its blocks in the zone. */
  add(column: ChunkRecord, blocks: number): Promise<void>
  /** Makes the snapshot visible and durable. Throws AppError `conflict` if another attempt has started since then. */
  finish(): Promise<ZoneSnapshot>
  /** Removes the parts of this attempt only. */
  giveUp(): Promise<void>
}

/** The snapshots of zones, in a Store. They outlive their zone for as long as its deletion can be undone. */
export type ZoneSnapshots = {
  /** Newest first. */
  list(zone: string): Promise<readonly ZoneSnapshot[]>
  /** Throws AppError `not-found`. */
  get(zone: string, id: string): Promise<StoredSnapshot>
  /** Throws AppError `conflict`, slug `too-many-snapshots`, if the zone has the maximum number of snapshots. */
  refuseFull(zone: string): Promise<void>
  /** The columns of a snapshot, part by part, from part `from` on. Throws AppError `unavailable` if a part is missing or damaged. */
  readParts(snapshot: StoredSnapshot, from?: number): AsyncIterable<readonly ChunkRecord[]>
  /** Starts a snapshot. Replaces what an earlier attempt left. */
  write(facts: SnapshotFacts): Promise<SnapshotWriter>
  /** Audited; throws AppError `not-found`. */
  remove(actor: AuditActor, zone: string, id: string): Promise<void>
  /** Removes interrupted snapshots, and those whose zone was deleted long enough ago. Stops when `isOver` returns true. */
  sweep(isOver: () => boolean): Promise<void>
}
