import type { BlockPos } from '../../rules/positions.ts'

/** The ways in which blocks change; their places in pages of the history never change. */
export const changeWays = ['game', 'feed', 'command', 'rollback', 'restore'] as const
export type ChangeWay = (typeof changeWays)[number]

/** A change of a block that somebody made. */
export type MadeChange = BlockPos & {
  /** A playerId. */
  readonly by: string
  readonly via: ChangeWay
  /** Ids of block types. */
  readonly from: string
  readonly to: string
  /** The job that took other changes back by it. */
  readonly undoes?: string
}

/** A change as the history has it: `at` is in milliseconds since 1970. */
export type BlockChange = MadeChange & { readonly at: number }
