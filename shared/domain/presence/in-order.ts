import type { ConnectedPlayer, LiveNode } from './presence.ts'

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Sorts by world and id, nodes without a world last. */
export const nodesInOrder = (nodes: readonly LiveNode[]): readonly LiveNode[] =>
  nodes.toSorted(
    (one, other) =>
      Number(one.world === undefined) - Number(other.world === undefined) ||
      compare(one.world ?? '', other.world ?? '') ||
      compare(one.nodeId, other.nodeId),
  )

/** Sorts by display name, without duplicates. */
export const playersInOrder = (players: readonly ConnectedPlayer[]): readonly ConnectedPlayer[] => {
  const byId = new Map(players.map((player) => [player.playerId, player]))
  return [...byId.values()].toSorted(
    (one, other) => compare(one.displayName, other.displayName) || compare(one.playerId, other.playerId),
  )
}
