/** The slot of a player's name. */
export type TagSlot = { readonly at: number; readonly name: string; readonly width: number }

/** A few slots for names. The least recently shown names are replaced first. */
export type TagSlots = {
  /**
   * The slots of the given players, at most as many as there are slots. Paints up to `paintsMax` new names, first ones first; undefined
   * for those that wait.
   */
  take(
    wanted: readonly { readonly playerId: string; readonly displayName: string }[],
    paintsMax: number,
  ): readonly (TagSlot | undefined)[]
  /** Clears all slots. */
  clear(): void
}

/** `paint` paints a name into a slot and returns its width. */
export const createTagSlots = (count: number, paint: (at: number, name: string) => number): TagSlots => {
  /** Least recently shown first. */
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
      // Keeps existing slots first, so that no needed name is replaced.
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
