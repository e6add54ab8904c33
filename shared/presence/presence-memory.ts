import type { Clock } from '../kernel/clock.ts'
import { type Presence, presenceTtlMs } from './presence.ts'

type Node = { readonly players: ReadonlySet<string>; readonly endsAtMs: number }

/** Presence of a server that is one process. */
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
      const players = new Set<string>()
      return {
        enter: (playerId) => void players.add(playerId),
        leave: (playerId) => void players.delete(playerId),
        renew: async () => void nodes.set(nodeId, { players, endsAtMs: clock.monotonic() + ttlMs }),
        close: async () => void nodes.delete(nodeId),
      }
    },
    countConnected: async () => live().reduce((sum, { players }) => sum + players.size, 0),
    listConnected: async () => new Set(live().flatMap(({ players }) => [...players])),
    close: async () => undefined,
  }
}
