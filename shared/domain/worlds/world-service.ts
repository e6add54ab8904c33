import type { AuditActor } from '../accounts/account-audit.ts'
import type { WorldRecord, WorldSpawn } from './world.ts'

export type NewWorld = {
  readonly name: string
  /** A safe integer, or a text that `seedOf` makes one of; random when absent. */
  readonly seed?: number | string
  /** The version of a generator; that of `worldgen.yaml` when absent. */
  readonly generator?: string
  /** As of another world's record, for one that is brought in from elsewhere; `worldgen.yaml` as it is when absent. */
  readonly settings?: unknown
  /** Where players appear; chosen by the node that runs the world first when absent. */
  readonly spawn?: WorldSpawn
  /** A UUID under which its chunks were written already; a new one when absent. */
  readonly id?: string
}

/** A world as administrators see it. */
export type ListedWorld = Pick<WorldRecord, 'name' | 'seed' | 'createdAt' | 'generator'> & {
  /** Generated columns. */
  readonly chunkCount: number
  /** What its chunks take in the store. */
  readonly sizeBytes: number
  /** Whether it is the one that `GAME_WORLD_NAME` selects. */
  readonly active: boolean
  /** Why its chunks cannot be read, in words fit for the public; the numbers are 0 then. */
  readonly warning?: string
}

/** The worlds that there are; any process may ask, and several at once may create. */
export type WorldService = {
  /** The active one first, then by name. */
  listWorlds(): Promise<readonly ListedWorld[]>
  /** As `listWorlds` shows it. */
  describeWorld(world: WorldRecord): Promise<ListedWorld>
  findWorld(name: string): Promise<WorldRecord | undefined>
  /** The active world when no name is given; throws AppError `not-found` when there is none of that name. */
  getWorld(name?: string): Promise<WorldRecord>
  /**
   * Durable, with its audit entry, when it resolves; without an actor the operator at the machine does it. Throws AppError `invalid`
   * for a name, seed, generator, settings or id that cannot be, and `conflict`, slug `already-exists`, naming the world that has the name,
   * letter case aside.
   */
  createWorld(input: NewWorld, actor?: AuditActor): Promise<WorldRecord>
  /**
   * Has players appear there from now on, or on dry land near the middle where no place is given; audited where a user asked for it.
   * `check` sees the current spawn and may throw. Throws AppError `not-found`, and `stale` where the world changed in between.
   */
  setSpawn(
    name: string,
    spawn: WorldSpawn | undefined,
    actor?: AuditActor,
    check?: (current: WorldSpawn | undefined) => void,
  ): Promise<WorldRecord>
  /** The world of that name, created when absent. */
  ensureWorld(name: string): Promise<WorldRecord>
  /** The active world, created now if absent; two processes at once get the same one. */
  ensureActive(): Promise<WorldRecord>
}
