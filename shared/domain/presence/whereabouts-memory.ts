import type { Entry, Whereabouts } from './whereabouts.ts'

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
