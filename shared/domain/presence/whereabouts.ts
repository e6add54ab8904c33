/** That a player connected to a node. `at` grows with each entry of a player, by the clock of whoever keeps them: no node's clock counts. */
export type Entry = {
  readonly playerId: string
  readonly nodeId: string
  readonly at: number
  /** By an unverified sign-in, which takes the place of no verified one. */
  readonly unverified?: true
}

/**
 * To which node each player connected last, one answer for all nodes. Everything is lost when Redis is: nodes tell it again by `renew`.
 * All throw AppError `unavailable`.
 */
export type Whereabouts = {
  /** These players connected to that node, each later than to any node before, some by unverified sign-ins. Answers their entries, in the same order. */
  enter(nodeId: string, playerIds: readonly string[], unverified?: ReadonlySet<string>): Promise<readonly Entry[]>
  /** They left it; whoever connected elsewhere meanwhile stays there. */
  leave(nodeId: string, playerIds: readonly string[]): Promise<void>
  /** Makes again what was lost of these, and answers those that are newer: of players who connected elsewhere since. */
  renew(entries: readonly Entry[]): Promise<readonly Entry[]>
}
