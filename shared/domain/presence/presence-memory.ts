import type { Clock } from '../../kernel/clock.ts'
import { nodesInOrder, playersInOrder } from './in-order.ts'
import { type NodeFacts, type Presence, presenceTtlMs } from './presence.ts'

type Node = {
  readonly nodeId: string
  readonly facts: NodeFacts | undefined
  readonly players: ReadonlyMap<string, string>
  readonly endsAtMs: number
}

/** Presence for a server of one process. */
export const createMemoryPresence = ({
  clock,
  ttlMs = presenceTtlMs,
}: {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly ttlMs?: number
}): Presence => {
  const nodes = new Map<string, Node>()
  const live = (): readonly Node[] => {
    for (const [nodeId, { endsAtMs }] of nodes) if (endsAtMs <= clock.monotonic()) nodes.delete(nodeId)
    return [...nodes.values()]
  }
  return {
    openNode: (nodeId) => {
      const players = new Map<string, string>()
      let facts: NodeFacts | undefined
      return {
        describe: (now) => {
          facts = now
        },
        enter: (playerId, displayName) => void players.set(playerId, displayName),
        leave: (playerId) => void players.delete(playerId),
        renew: async () => void nodes.set(nodeId, { nodeId, facts, players, endsAtMs: clock.monotonic() + ttlMs }),
        close: async () => void nodes.delete(nodeId),
      }
    },
    listNodes: async () =>
      nodesInOrder(
        live().flatMap(({ nodeId, facts, players }) =>
          facts === undefined ? [] : [{ nodeId, ...facts, sessions: players.size }],
        ),
      ),
    countConnected: async () => live().reduce((sum, { players }) => sum + players.size, 0),
    listConnected: async () => new Set(live().flatMap(({ players }) => [...players.keys()])),
    listPlayers: async () =>
      playersInOrder(
        live().flatMap(({ nodeId, players }) =>
          Array.from(players, ([playerId, displayName]) => ({ playerId, displayName, nodeId })),
        ),
      ),
    close: async () => undefined,
  }
}
