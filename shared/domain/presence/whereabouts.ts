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

/** Whereabouts for a server of one process. */
export const createMemoryWhereabouts = (): Whereabouts => {
  const entries = new Map<string, Entry>()
  let at = 0
  return {
    enter: async (nodeId, playerIds, unverified) =>
      playerIds.map((playerId) => {
        at += 1
        const entry: Entry = { playerId, nodeId, at, ...(unverified?.has(playerId) && { unverified: true }) }
        entries.set(playerId, entry)
        return entry
      }),
    leave: async (nodeId, playerIds) => {
      for (const playerId of playerIds) if (entries.get(playerId)?.nodeId === nodeId) entries.delete(playerId)
    },
    renew: async (known) =>
      known.flatMap((entry) => {
        const newest = entries.get(entry.playerId)
        if (newest !== undefined && newest.at > entry.at) return [newest]
        entries.set(entry.playerId, entry)
        return []
      }),
  }
}
