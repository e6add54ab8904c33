/** Where the name of somebody is painted. */
export type TagSlot = { readonly at: number; readonly name: string; readonly width: number }

/** A few places to paint names in; who was shown last keeps theirs longest. */
export type TagSlots = {
  /** The place of a player's name, if it is painted there. */
  find(playerId: string, name: string): TagSlot | undefined
  /** Paints a name in the place of whoever was shown longest ago. */
  paint(playerId: string, name: string): TagSlot
  /** Nothing is painted any more. */
  clear(): void
}

/** `paint` writes a name into a place, and answers how wide it came out. */
export const createTagSlots = (count: number, paint: (at: number, name: string) => number): TagSlots => {
  /** In the order in which they were shown, the latest last. */
  const byPlayer = new Map<string, TagSlot>()
  const free = (): number => {
    if (byPlayer.size < count) return byPlayer.size
    for (const [playerId, { at }] of byPlayer) {
      byPlayer.delete(playerId)
      return at
    }
    return 0
  }
  return {
    find: (playerId, name) => {
      const known = byPlayer.get(playerId)
      if (known?.name !== name) return undefined
      byPlayer.delete(playerId)
      byPlayer.set(playerId, known)
      return known
    },
    paint: (playerId, name) => {
      const at = byPlayer.get(playerId)?.at ?? free()
      byPlayer.delete(playerId)
      const slot = { at, name, width: paint(at, name) }
      byPlayer.set(playerId, slot)
      return slot
    },
    clear: () => byPlayer.clear(),
  }
}
