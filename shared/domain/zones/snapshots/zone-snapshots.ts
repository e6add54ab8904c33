import type { AuditActor } from '../../accounts/account-audit.ts'
import type { ChunkRecord } from '../../worlds/store/chunk-store.ts'
import type { StoredSnapshot, ZoneSnapshot } from './snapshot.ts'

/** What is known of a snapshot before its blocks are. */
export type SnapshotFacts = Pick<StoredSnapshot, 'id' | 'zone' | 'name' | 'at' | 'by' | 'yMin' | 'yMax'>

/** A snapshot on its way. */
export type SnapshotWriter = {
  /** A column whole, and how many blocks of it are the zone's. */
  add(column: ChunkRecord, blocks: number): Promise<void>
  /** It is there from now on, durably. Throws AppError `conflict` where another try has begun since. */
  finish(): Promise<ZoneSnapshot>
  /** Takes away what this try has left, and nothing of another. */
  giveUp(): Promise<void>
}

/** The snapshots of zones, in a Store. They outlive their zone for as long as its deletion can be taken back. */
export type ZoneSnapshots = {
  /** Newest first. */
  list(zone: string): Promise<readonly ZoneSnapshot[]>
  /** Throws AppError `not-found`. */
  get(zone: string, id: string): Promise<StoredSnapshot>
  /** Throws AppError `conflict`, slug `too-many-snapshots`, for a zone that has as many as it may. */
  refuseFull(zone: string): Promise<void>
  /** Its columns from that part on, part by part. Throws AppError `unavailable` where one is gone or damaged. */
  readParts(snapshot: StoredSnapshot, from?: number): AsyncIterable<readonly ChunkRecord[]>
  /** Begins one, in place of what an earlier try left. */
  write(facts: SnapshotFacts): Promise<SnapshotWriter>
  /** Audited; throws AppError `not-found`. */
  remove(actor: AuditActor, zone: string, id: string): Promise<void>
  /** Forgets what was cut short, and those whose zone has been gone for long enough, until `isOver`. */
  sweep(isOver: () => boolean): Promise<void>
}
