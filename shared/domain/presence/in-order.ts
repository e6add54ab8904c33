import type { ConnectedPlayer, LiveNode } from './presence.ts'

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** By world and id, those without a world last. */
export const nodesInOrder = (nodes: readonly LiveNode[]): readonly LiveNode[] =>
  nodes.toSorted(
    (one, other) =>
      Number(one.world === undefined) - Number(other.world === undefined) ||
      compare(one.world ?? '', other.world ?? '') ||
      compare(one.nodeId, other.nodeId),
  )

/** By display name, once each. */
export const playersInOrder = (players: readonly ConnectedPlayer[]): readonly ConnectedPlayer[] => {
  const byId = new Map(players.map((player) => [player.playerId, player]))
  return [...byId.values()].toSorted(
    (one, other) => compare(one.displayName, other.displayName) || compare(one.playerId, other.playerId),
  )
}
