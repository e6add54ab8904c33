/** After how long without a word a node counts as dead, in milliseconds. */
export const presenceTtlMs = 10_000

/** What one node says of itself. Players are told of by the next `renew`; at most one `renew` or `close` may be under way. */
export type NodePresence = {
  /** A player is connected; again for one who is changes nothing. Costs a set operation. */
  enter(playerId: string): void
  leave(playerId: string): void
  /** Tells that the node lives and who came and went, all of it anew where it was lost. Throws AppError `unavailable`; the next one makes up for it. */
  renew(): Promise<void>
  /** Takes the node and its players out at once. Throws AppError `unavailable`; they are gone after `presenceTtlMs` then. */
  close(): Promise<void>
}

/** Who is connected, on whatever node: nodes say so, anybody may ask. A node that dies is gone with its players after `presenceTtlMs`. */
export type Presence = {
  /** A node without players, unknown to others until its first `renew`; `nodeId` is one that no other has. */
  openNode(nodeId: string): NodePresence
  /** Connected players of all nodes, told without reading who they are. Throws AppError `unavailable`. */
  countConnected(): Promise<number>
  /** Player ids. Costs a read for each node; throws AppError `unavailable`. */
  listConnected(): Promise<ReadonlySet<string>>
  close(): Promise<void>
}
