/** After how long without a word a node counts as dead, in milliseconds. */
export const presenceTtlMs = 10_000

/** `standby`: waits for a world; `ready`: takes players; `draining`: its players leave it. */
export const nodeStates = ['standby', 'ready', 'draining'] as const
export type NodeState = (typeof nodeStates)[number]

/** What one node says of itself for those who look for a world. */
export type NodeFacts = {
  /** The world that it runs; undefined: none. */
  readonly world: string | undefined
  /** That of the world's lease: of two nodes that say they run it, the one with the higher does. 0 without a world. */
  readonly fence: number
  readonly state: NodeState
  /** Where clients reach it. */
  readonly url: string
  /** Where other processes of Gatehouse reach it; nothing for clients to know. */
  readonly internalUrl: string
  readonly maxSessions: number
  /** Milliseconds since 1970, by the node's own clock. */
  readonly startedAt: number
  readonly version: string
}

/** A node that lives; `sessions` counts the players who are connected to it. */
export type LiveNode = NodeFacts & { readonly nodeId: string; readonly sessions: number }

export type ConnectedPlayer = { readonly playerId: string; readonly displayName: string; readonly nodeId: string }

/** What one node says of itself. Players and facts are told by the next `renew`; at most one `renew` or `close` may be under way. */
export type NodePresence = {
  /** The node as it is from now on; one that was never described is no node to look for. */
  describe(facts: NodeFacts): void
  /** A player is connected; again for one who is changes their name at the most. Costs a map operation. */
  enter(playerId: string, displayName: string): void
  leave(playerId: string): void
  /** Tells that the node lives and who came and went, all of it again where it was lost. Throws AppError `unavailable`; the next one makes up for it. */
  renew(): Promise<void>
  /** Takes the node and its players out at once. Throws AppError `unavailable`; they are gone after `presenceTtlMs` then. */
  close(): Promise<void>
}

/** Which nodes there are and who is connected to them: nodes say so, anybody may ask. A node that dies is gone with its players after `presenceTtlMs`. */
export type Presence = {
  /** A node without players, unknown to others until its first `renew`; `nodeId` is one that no other has. */
  openNode(nodeId: string): NodePresence
  /** Nodes that described themselves, by world and id, those without a world last. Costs a read for each node; throws AppError `unavailable`. */
  listNodes(): Promise<readonly LiveNode[]>
  /** Connected players of all nodes, told without reading who they are. Throws AppError `unavailable`. */
  countConnected(): Promise<number>
  /** Player ids. Costs a read for each node; throws AppError `unavailable`. */
  listConnected(): Promise<ReadonlySet<string>>
  /** Everybody by display name, once each, however many nodes they are on. Costs a read for each node; throws AppError `unavailable`. */
  listPlayers(): Promise<readonly ConnectedPlayer[]>
  close(): Promise<void>
}
