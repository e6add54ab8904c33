/** Where the name of somebody is painted. */
export type TagSlot = { readonly at: number; readonly name: string; readonly width: number }

/** A few places to paint names in; who was shown last keeps theirs longest. */
export type TagSlots = {
  /**
   * The places of all who are wanted, of whom there are no more than places. At most `paintsMax` names that are nowhere yet are painted, the
   * first of the list before others; undefined for those who wait.
   */
  take(
    wanted: readonly { readonly playerId: string; readonly displayName: string }[],
    paintsMax: number,
  ): readonly (TagSlot | undefined)[]
  /** Nothing is painted any more. */
  clear(): void
}

/** `paint` writes a name into a place, and answers how wide it came out. */
export const createTagSlots = (count: number, paint: (at: number, name: string) => number): TagSlots => {
  /** In the order in which they were shown, the latest last. */
  const byPlayer = new Map<string, TagSlot>()
  const show = (playerId: string, slot: TagSlot): TagSlot => {
    byPlayer.delete(playerId)
    byPlayer.set(playerId, slot)
    return slot
  }
  const free = (): number => {
    if (byPlayer.size < count) return byPlayer.size
    for (const [playerId, { at }] of byPlayer) {
      byPlayer.delete(playerId)
      return at
    }
    return 0
  }
  return {
    take: (wanted, paintsMax) => {
      let left = paintsMax
      // All that are there first, so that nobody who is wanted and painted makes room.
      const found = wanted.map(({ playerId, displayName }) => {
        const known = byPlayer.get(playerId)
        return known?.name === displayName ? show(playerId, known) : undefined
      })
      return wanted.map(({ playerId, displayName }, which) => {
        const known = found[which]
        if (known !== undefined || left === 0) return known
        left -= 1
        const at = byPlayer.get(playerId)?.at ?? free()
        return show(playerId, { at, name: displayName, width: paint(at, displayName) })
      })
    },
    clear: () => byPlayer.clear(),
  }
}
