import type { BlockPos } from '../../rules/positions.ts'

/** The ways in which blocks change. Pages of the history store the index of a way, so the order must not change. */
export const changeWays = ['game', 'feed', 'command', 'rollback', 'restore', 'module'] as const
export type ChangeWay = (typeof changeWays)[number]

/** A change of a block by a player. */
export type MadeChange = BlockPos & {
  /** A playerId. Empty for the server, such as for a module. */
  readonly by: string
  readonly via: ChangeWay
  /** Ids of block types. */
  readonly from: string
  readonly to: string
  /** The rollback job that made this change. */
  readonly undoes?: string
  /** The module that made this change, for the way `module`. */
  readonly module?: string
}

/** A change in the history; `at` is in milliseconds since 1970. */
export type BlockChange = MadeChange & { readonly at: number }
