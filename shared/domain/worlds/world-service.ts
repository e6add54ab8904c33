import type { AuditActor } from '../audit/audit-entry.ts'
import type { WorldRecord, WorldSpawn } from './world.ts'

export type NewWorld = {
  readonly name: string
  /** A safe integer, or a text for `seedOf`; random when absent. */
  readonly seed?: number | string
  /** The version of a generator; the one in `worldgen.yaml` when absent. */
  readonly generator?: string
  /** The settings of a world that is imported; the current `worldgen.yaml` when absent. */
  readonly settings?: unknown
  /** The position of new players; chosen by the first node of the world when absent. */
  readonly spawn?: WorldSpawn
  /** A UUID under which chunks are already stored; a new one when absent. */
  readonly id?: string
}

/** A world as listed for admins. */
export type ListedWorld = Pick<WorldRecord, 'name' | 'seed' | 'createdAt' | 'generator' | 'spawn'> & {
  /** Generated columns. */
  readonly chunkCount: number
  /** The size of its chunks in the store. */
  readonly sizeBytes: number
  /** Whether `GAME_WORLD_NAME` selects this world. */
  readonly active: boolean
  /** A public reason why its chunks cannot be read. The numbers are then 0. */
  readonly warning?: string
}

/** The worlds of the server. Any process may use it, and several may create worlds at the same time. */
export type WorldService = {
  /** The active one first, then by name. */
  listWorlds(): Promise<readonly ListedWorld[]>
  /** The entry of `listWorlds` for this world. */
  describeWorld(world: WorldRecord): Promise<ListedWorld>
  findWorld(name: string): Promise<WorldRecord | undefined>
  /** The world with that name; the active world without a name. Throws AppError `not-found`. */
  getWorld(name?: string): Promise<WorldRecord>
  /**
   * Creates a world. Durable with its audit entry when it resolves. The default actor is the operator on the command line. Throws
   * AppError `invalid` for an invalid name, seed, generator, settings or id. Throws `conflict`, slug `already-exists`, with the name of
   * the existing world if the names differ at most in letter case.
   */
  createWorld(input: NewWorld, actor?: AuditActor): Promise<WorldRecord>
  /**
   * Sets the spawn for new players. Without a spawn they appear on dry land near the middle. Audited if there is an actor. `check` sees
   * the current spawn and may throw. Throws AppError `not-found`, and `stale` if the world changed in the meantime.
   */
  setSpawn(
    name: string,
    spawn: WorldSpawn | undefined,
    actor?: AuditActor,
    check?: (current: WorldSpawn | undefined) => void,
  ): Promise<WorldRecord>
  /** The world with that name, created if absent. */
  ensureWorld(name: string): Promise<WorldRecord>
  /** The active world, created if absent. Two concurrent processes get the same one. */
  ensureActive(): Promise<WorldRecord>
}
