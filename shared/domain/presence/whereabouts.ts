/** A player's connection to a node. `at` grows with each entry of a player. It comes from the clock of the store, not of a node. */
export type Entry = {
  readonly playerId: string
  readonly nodeId: string
  readonly at: number
  /** The sign-in is unverified. It does not replace an entry of a verified one. */
  readonly unverified?: true
}

/**
 * The node to which each player connected last. If Redis loses the entries, nodes write them again with `renew`.
 * All methods throw AppError `unavailable`.
 */
export type Whereabouts = {
  /**
   * Records that these players connected to the node, some with unverified sign-ins. Each entry is newer than the player's previous
   * one. Returns the entries in the same order.
   */
  enter(nodeId: string, playerIds: readonly string[], unverified?: ReadonlySet<string>): Promise<readonly Entry[]>
  /** Removes these players from the node. Players who have connected elsewhere since then stay there. */
  leave(nodeId: string, playerIds: readonly string[]): Promise<void>
  /** Restores lost entries. Returns newer entries of players who connected elsewhere since then. */
  renew(entries: readonly Entry[]): Promise<readonly Entry[]>
}
