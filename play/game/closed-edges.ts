type Feet = { readonly x: number; readonly z: number }

/** Columns that the server would not let the player into, for a moment: one stops at their edge, and is not put back again and again. */
export type ClosedEdges = {
  /** The server put the player back from `to` to `from`. */
  note(from: Feet, to: Feet, nowMs: number): void
  /** As much of a step as does not lead into one of them. Who is inside may walk about and out. */
  hold<T extends Feet>(from: Feet, to: T, nowMs: number): T
}

/** Zones are opened too: after this the server is asked again. */
const keptMs = 2_000

const keyOf = ({ x, z }: Feet): string => `${Math.floor(x / 16)} ${Math.floor(z / 16)}`

export const createClosedEdges = (): ClosedEdges => {
  const closedUntilMs = new Map<string, number>()
  const isClosed = (at: Feet, nowMs: number): boolean => (closedUntilMs.get(keyOf(at)) ?? 0) > nowMs
  return {
    note: (from, to, nowMs) => {
      if (keyOf(from) !== keyOf(to)) closedUntilMs.set(keyOf(to), nowMs + keptMs)
      for (const [key, untilMs] of closedUntilMs) if (untilMs <= nowMs) closedUntilMs.delete(key)
    },
    hold: (from, to, nowMs) => {
      if (closedUntilMs.size === 0 || !isClosed(to, nowMs) || isClosed(from, nowMs)) return to
      const ways = [
        { ...to, x: from.x },
        { ...to, z: from.z },
      ]
      return ways.find((way) => !isClosed(way, nowMs)) ?? { ...to, x: from.x, z: from.z }
    },
  }
}
