import type { Actor } from '../../shared/domain/accounts/actor.ts'
import type { TickTimesSummary } from '../metrics/tick-times.ts'

/** The world of this node as `/world` tells of it. */
export type WorldDescription = {
  readonly name: string
  readonly seed: number
  readonly generator: string
  readonly createdAt: string
  /** Generated columns. */
  readonly chunkCount: number
  /** What they take in the store. */
  readonly sizeBytes: number
  /** Columns in the node's memory, and those on their way there. */
  readonly loadedColumns: number
  readonly loadingColumns: number
  readonly tickTimes: TickTimesSummary
}

/** What `/save` did. */
export type WorldSaved = {
  /** Generated columns in the store; all that was changed of them is durable. */
  readonly chunkCount: number
  /** Places of players that were written. */
  readonly places: number
  readonly milliseconds: number
}

/** A place in blocks. */
export type WorldPoint = { readonly x: number; readonly y: number; readonly z: number }

/** The world of this node as commands see it. */
export type WorldControl = {
  readonly name: string
  describe(): Promise<WorldDescription>
  /** Writes what is not durable yet; rejects with AppError when it cannot. */
  save(): Promise<WorldSaved>
  /** The nearest place at that `x`, `z` where a player can stand; rejects with AppError when there is none, or not in time. */
  findGround(at: WorldPoint): Promise<WorldPoint>
}

/** Where players appear in the world of this node. */
export type SpawnControl = {
  /** A place that is free now. */
  find(): WorldPoint & { readonly yaw: number; readonly pitch: number }
  /** Durable when it resolves. */
  set(actor: Actor, to: WorldPoint & { readonly yaw: number }): Promise<void>
}
