import type { AuditActor } from '../../../audit/audit-entry.ts'
import type { ChunkStore, WorldRef } from '../../../worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../../worlds/world.ts'
import type { NewWorld } from '../../../worlds/world-service.ts'

/** Fields of a new world's record besides its name. Absent ones have their defaults. */
export type WorldFacts = Omit<NewWorld, 'name' | 'id'>

/** A world that is being imported. It is invisible until it is published. */
export type WorldStage = {
  /** The world under which to write its chunks. */
  readonly world: WorldRef
  readonly chunks: ChunkStore
  readonly fence: number
  /** Publishes the whole world, or throws and leaves it invisible. The actor is the operator on the command line by default. */
  publish(facts: WorldFacts, actor?: AuditActor): Promise<WorldRecord>
  /** Deletes unpublished data, and releases the name. */
  close(): Promise<void>
}
