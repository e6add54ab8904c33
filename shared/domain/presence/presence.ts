/** After this time without a renewal a node counts as dead, in milliseconds. */
export const presenceTtlMs = 10_000

/** `standby`: waits for a world; `ready`: accepts players; `draining`: its players leave. */
export const nodeStates = ['standby', 'ready', 'draining'] as const
export type NodeState = (typeof nodeStates)[number]

/** A node's description of itself, for clients that look for a world. */
export type NodeFacts = {
  /** The world that the node runs, if any. */
  readonly world: string | undefined
  /** The fence of the world's lease. If two nodes say that they run a world, the one with the higher fence does. 0 without a world. */
  readonly fence: number
  readonly state: NodeState
  /** The address for clients. */
  readonly url: string
  /** The address for other Gatehouse processes. Clients do not see it. */
  readonly internalUrl: string
  readonly maxSessions: number
  /** Milliseconds since 1970, by the node's own clock. */
  readonly startedAt: number
  readonly version: string
}

/** A live node. `sessions` counts its connected players. */
export type LiveNode = NodeFacts & { readonly nodeId: string; readonly sessions: number }

export type ConnectedPlayer = { readonly playerId: string; readonly displayName: string; readonly nodeId: string }

/** The presence of one node. Players and facts are sent by the next `renew`. Only one `renew` or `close` may run at a time. */
export type NodePresence = {
  /** Sets the facts of the node. Other processes do not see a node without facts. */
  describe(facts: NodeFacts): void
  /** Adds a connected player. A second call for the same player only changes their name. Costs a map operation. */
  enter(playerId: string, displayName: string): void
  leave(playerId: string): void
  /**
   * Renews the node and sends changes of its players, or all players if they were lost. Throws AppError `unavailable`; the next call
   * makes up for it.
   */
  renew(): Promise<void>
  /** Removes the node and its players at once. Throws AppError `unavailable`; they then expire after `presenceTtlMs`. */
  close(): Promise<void>
}

/** The live nodes and their connected players, for any process. A node that dies expires with its players after `presenceTtlMs`. */
export type Presence = {
  /** Opens a node without players. Others see it after its first `renew`. `nodeId` must be unique. */
  openNode(nodeId: string): NodePresence
  /** Nodes with facts, by world and id, those without a world last. Costs a read for each node. Throws AppError `unavailable`. */
  listNodes(): Promise<readonly LiveNode[]>
  /** The number of connected players of all nodes, without reading their names. Throws AppError `unavailable`. */
  countConnected(): Promise<number>
  /** Player ids. Costs a read for each node. Throws AppError `unavailable`. */
  listConnected(): Promise<ReadonlySet<string>>
  /** All players by display name, without duplicates. Costs a read for each node. Throws AppError `unavailable`. */
  listPlayers(): Promise<readonly ConnectedPlayer[]>
  close(): Promise<void>
}
