import type { Actor } from '../../shared/domain/accounts/actor.ts'
import type { TickTimesSummary } from '../metrics/tick-times.ts'

/** The description of this node's world for `/world`. */
export type WorldDescription = {
  readonly name: string
  readonly seed: number
  readonly generator: string
  readonly createdAt: string
  /** The number of generated columns. */
  readonly chunkCount: number
  /** Their size in the store. */
  readonly sizeBytes: number
  /** The columns in memory, and those being loaded. */
  readonly loadedColumns: number
  readonly loadingColumns: number
  readonly tickTimes: TickTimesSummary
}

/** The result of `/save`. */
export type WorldSaved = {
  /** The number of generated columns in the store. All their changes are durable. */
  readonly chunkCount: number
  /** The number of written positions of players. */
  readonly places: number
  readonly milliseconds: number
}

/** A place in blocks. */
export type WorldPoint = { readonly x: number; readonly y: number; readonly z: number }

/** The world of this node, as commands see it. */
export type WorldControl = {
  readonly name: string
  describe(): Promise<WorldDescription>
  /** Writes everything that is not durable. Rejects with AppError on failure. */
  save(): Promise<WorldSaved>
  /**
   * The nearest place with that `x` and `z` where a player can stand. Rejects with AppError if there is none, or after a time
   * limit.
   */
  findGround(at: WorldPoint): Promise<WorldPoint>
}

/** The spawn of this node's world. */
export type SpawnControl = {
  /** A place that is free now. */
  find(): WorldPoint & { readonly yaw: number; readonly pitch: number }
  /** Durable when it resolves. */
  set(actor: Actor, to: WorldPoint & { readonly yaw: number }): Promise<void>
}
