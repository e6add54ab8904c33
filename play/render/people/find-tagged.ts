/** Somebody who has a name and a place. */
export type Tagged = {
  readonly playerId: string
  readonly displayName: string
  readonly x: number
  readonly y: number
  readonly z: number
}

export type TaggedOptions = {
  readonly most: number
  /** Whose names were shown in the last picture. */
  readonly shown: ReadonlySet<string>
}

type Near = { readonly player: Tagged; readonly away: number; readonly rank: number }

const seenBlocks = 48
/** Who is shown stays so until somebody who is not is nearer by so much: to paint a name costs more than all the rest. */
const keptBlocks = 6

/** Whose names are shown: the nearest within 48 blocks, the nearest of them first. */
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
