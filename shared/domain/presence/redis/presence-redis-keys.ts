/** The keys of presence in Redis. The two keys of a node hash to one slot of a cluster. */
export type PresenceKeys = {
  /** A hash: by node, the record that it wrote last. */
  readonly nodes: string
  /** The record of a node, from `formatNodeRecord`. */
  record(nodeId: string): string
  /** A hash: by player id, the display name. */
  players(nodeId: string): string
}

export const createPresenceKeys = (prefix: string): PresenceKeys => ({
  nodes: `${prefix}presence:nodes`,
  record: (nodeId) => `${prefix}presence:{${nodeId}}:node`,
  players: (nodeId) => `${prefix}presence:{${nodeId}}:names`,
})
