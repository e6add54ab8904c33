/** Where presence lies in Redis; the two keys of a node hash to one slot of a cluster. */
export type PresenceKeys = {
  /** A hash: by node, what it said of itself last. */
  readonly nodes: string
  /** Its record, as `formatNodeRecord` makes it. */
  record(nodeId: string): string
  /** A hash: by the ids of its players, their display names. */
  players(nodeId: string): string
}

export const createPresenceKeys = (prefix: string): PresenceKeys => ({
  nodes: `${prefix}presence:nodes`,
  record: (nodeId) => `${prefix}presence:{${nodeId}}:node`,
  players: (nodeId) => `${prefix}presence:{${nodeId}}:names`,
})
