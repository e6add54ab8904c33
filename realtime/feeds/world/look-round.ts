import { chunkKey } from '../../../shared/rules/positions.ts'
import type { SeenPlayer } from '../zone-feed.ts'
import type { View } from './world-messages.ts'

type Spot = { readonly x: number; readonly z: number }

/** A player in one round, with the position of the previous round. `json` is the form in messages. */
export type RoundPlayer = {
  readonly playerId: string
  readonly displayName: string
  readonly now: Spot | undefined
  readonly before: Spot | undefined
  readonly isChanged: boolean
  readonly json: string
}

/** The positions of all players at one moment. It never changes, so readers can be served one after another. */
export type LookRound = {
  readonly hasChanges: boolean
  /** All players, including those who have left since the last round. */
  all(): Iterable<RoundPlayer>
  /**
   * Players who moved, came or left since the last round in or out of the view, and some others. Its cost depends on the smaller of
   * view and number of players.
   */
  changedNear(view: View): Iterable<RoundPlayer>
  /** A key that is equal for views with the same changes. Undefined if that would need a closer look. */
  newsKey(view: View): string | undefined
}

/** The width in blocks of the squares that group players. */
const squareBlocks = 256

/** With more changed squares than this, views are not compared. */
const comparedMax = 64

const squareOf = (at: number): number => Math.floor(at / squareBlocks)

export const isInside = (spot: Spot | undefined, view: View | undefined): boolean =>
  spot !== undefined &&
  view !== undefined &&
  spot.x >= view.minX &&
  spot.x < view.maxX + 1 &&
  spot.z >= view.minZ &&
  spot.z < view.maxZ + 1

/** Two decimals are finer than a pixel at any zoom. */
const rounded = (value: number): number => Math.round(value * 100) / 100

const printPlayer = ({ playerId, displayName, x, y, z, yaw, pitch }: SeenPlayer): string =>
  JSON.stringify({
    playerId,
    displayName,
    position: { x: rounded(x), y: rounded(y), z: rounded(z), yaw: rounded(yaw), pitch: rounded(pitch) },
  })

/** Whether the view covers a square: true, false, or `undefined` for a part. */
const coversSquare = ({ x, z }: Spot, { minX, maxX, minZ, maxZ }: View): boolean | undefined => {
  const [fromX, fromZ] = [squareOf(x) * squareBlocks, squareOf(z) * squareBlocks]
  const [endX, endZ] = [fromX + squareBlocks, fromZ + squareBlocks]
  if (endX <= minX || fromX >= maxX + 1 || endZ <= minZ || fromZ >= maxZ + 1) return false
  return fromX >= minX && endX <= maxX + 1 && fromZ >= minZ && endZ <= maxZ + 1 ? true : undefined
}

const createRound = (players: readonly RoundPlayer[]): LookRound => {
  const squares = new Map<number, RoundPlayer[]>()
  /** One spot for each of them. */
  const spots: Spot[] = []
  let hasChanges = false
  const put = (player: RoundPlayer, { x, z }: Spot): void => {
    const key = chunkKey(squareOf(x), squareOf(z))
    const there = squares.get(key)
    if (there === undefined) {
      squares.set(key, [player])
      spots.push({ x, z })
    }
    if (there !== undefined && there.at(-1) !== player) there.push(player)
  }
  for (const player of players) {
    if (!player.isChanged) continue
    hasChanges = true
    if (player.before !== undefined) put(player, player.before)
    if (player.now !== undefined) put(player, player.now)
  }

  const squaresIn = function* ({ minX, maxX, minZ, maxZ }: View): Generator<RoundPlayer[]> {
    const [toX, toZ] = [squareOf(maxX), squareOf(maxZ)]
    for (let sx = squareOf(minX); sx <= toX; sx += 1)
      for (let sz = squareOf(minZ); sz <= toZ; sz += 1) {
        const there = squares.get(chunkKey(sx, sz))
        if (there !== undefined) yield there
      }
  }
  const countIn = ({ minX, maxX, minZ, maxZ }: View): number =>
    (squareOf(maxX) - squareOf(minX) + 1) * (squareOf(maxZ) - squareOf(minZ) + 1)

  return {
    hasChanges,
    all: () => players,
    newsKey: (view) => {
      if (spots.length > comparedMax) return undefined
      let key = 'squares'
      for (const [index, spot] of spots.entries()) {
        const isCovered = coversSquare(spot, view)
        if (isCovered === undefined) return undefined
        if (isCovered) key += ` ${index}`
      }
      return key
    },
    // A player who moved to another square is in both.
    changedNear: (view) => new Set((countIn(view) < squares.size ? [...squaresIn(view)] : [...squares.values()]).flat()),
  }
}

const noRound = createRound([])

/** Records the positions of players, each time with the changes since the last. */
export const createLooker = () => {
  let known = new Map<string, { readonly player: RoundPlayer; readonly now: Spot }>()
  return {
    first: noRound,
    look: (players: Iterable<SeenPlayer>): LookRound => {
      const next: typeof known = new Map()
      const round: RoundPlayer[] = []
      for (const seen of players) {
        const { playerId, displayName, x, z } = seen
        const before = known.get(playerId)
        const json = printPlayer(seen)
        const isSame = before?.player.json === json
        const now = isSame ? before.now : { x, z }
        const player = { playerId, displayName, now, before: before?.now, isChanged: !isSame, json }
        next.set(playerId, { player, now })
        round.push(player)
      }
      for (const [playerId, { player, now }] of known)
        if (!next.has(playerId)) round.push({ ...player, now: undefined, before: now, isChanged: true })
      known = next
      return createRound(round)
    },
  }
}
