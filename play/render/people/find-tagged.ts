/** A player with a name and a position. */
export type Tagged = {
  readonly playerId: string
  readonly displayName: string
  readonly x: number
  readonly y: number
  readonly z: number
}

export type TaggedOptions = {
  readonly most: number
  /** Players whose names were in the last frame. */
  readonly shown: ReadonlySet<string>
}

type Near = { readonly player: Tagged; readonly away: number; readonly rank: number }

const seenBlocks = 48
/** A shown name stays until another player is nearer by this much, because painting a name is expensive. */
const keptBlocks = 6

/** The players with a name tag: the nearest within 48 blocks, nearest first. */
export const findTagged = (
  players: readonly Tagged[],
  around: { readonly x: number; readonly y: number; readonly z: number },
  { most, shown }: TaggedOptions,
): readonly Tagged[] => {
  const near: Near[] = []
  for (const player of players) {
    const away = Math.hypot(player.x - around.x, player.y - around.y, player.z - around.z)
    if (away < seenBlocks) near.push({ player, away, rank: shown.has(player.playerId) ? away - keptBlocks : away })
  }
  const chosen = near.length > most ? near.sort((a, b) => a.rank - b.rank).slice(0, most) : near
  return chosen.sort((a, b) => a.away - b.away).map(({ player }) => player)
}
