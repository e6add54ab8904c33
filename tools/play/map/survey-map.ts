import type { BlockCache } from '../../../sdk/world/block-cache.ts'
import { nameOfBlock } from '../terminal/block-name.ts'
import { toPrintableLine } from '../terminal/printable.ts'

/** A place on a map: the highest block there, nothing at all, or a column that the server has not sent. */
export type MapCell = { readonly mark: string | undefined } & (
  | {
      readonly kind: 'block'
      readonly id: string
      readonly name: string
      readonly colour: number
      readonly y: number
      readonly slope: -1 | 0 | 1
    }
  | { readonly kind: 'nothing' | 'not-received' }
)

type Place = { readonly x: number; readonly y: number; readonly z: number }

export type MapPlayer = { readonly displayName: string; readonly x: number; readonly z: number }

/** Rows from north to south, each from west to east. */
export type MapSurvey = {
  readonly centre: Place
  readonly radius: number
  readonly rows: readonly (readonly MapCell[])[]
  /** Other players on the map that have a mark of their own, nearest first. */
  readonly marked: readonly { readonly mark: string; readonly player: MapPlayer }[]
}

export type SurveyOptions = {
  readonly world: Pick<BlockCache, 'findTop' | 'blockAt'>
  /** Where the player is. */
  readonly position: Place
  readonly players: readonly MapPlayer[]
  readonly radius: number
  /** Height from which to look down; from the top of the world when absent. */
  readonly from?: number
}

/** The mark of the player whose map it is. */
export const ownMark = '@'
/** That of players beyond the ninth. */
export const crowdMark = '+'

const marksMax = 9

/** Nearest first, those on the map. */
const listPlayers = ({ position, players, radius }: SurveyOptions): MapPlayer[] => {
  const offset = (to: MapPlayer) =>
    [Math.floor(to.x) - Math.floor(position.x), Math.floor(to.z) - Math.floor(position.z)] as const
  const distance = (to: MapPlayer) => Math.hypot(to.x - position.x, to.z - position.z)
  return players
    .filter((player) => offset(player).every((blocks) => Math.abs(blocks) <= radius))
    .sort((a, b) => distance(a) - distance(b))
}

const keyOf = (x: number, z: number): string => `${Math.floor(x)},${Math.floor(z)}`

const readCell = ({ world, from }: SurveyOptions, { x, z }: { x: number; z: number }, mark: string | undefined): MapCell => {
  const y = world.findTop(x, z, from)
  const block = y === undefined ? undefined : world.blockAt(x, y, z)
  if (y === undefined || block === undefined) return { kind: 'not-received', mark }
  if (y < 0) return { kind: 'nothing', mark }
  const north = world.findTop(x, z - 1, from)
  const slope = north === undefined || north === y ? 0 : y > north ? 1 : -1
  return { kind: 'block', id: toPrintableLine(block.id), name: nameOfBlock(block), colour: block.colour, y, slope, mark }
}

/** What is to be seen from above, 2 · `radius` + 1 blocks square, with the player in the middle. */
export const surveyMap = (options: SurveyOptions): MapSurvey => {
  const { position, radius } = options
  const centre = { x: Math.floor(position.x), y: Math.floor(position.y), z: Math.floor(position.z) }
  const players = listPlayers(options)
  const markOf = (place: number) => (place < marksMax ? String(place + 1) : crowdMark)
  const marks = new Map(players.map((player, place) => [keyOf(player.x, player.z), markOf(place)] as const).reverse())
  marks.set(keyOf(centre.x, centre.z), ownMark)
  const across = Array.from({ length: radius * 2 + 1 }, (_, place) => place - radius)
  const rows = across.map((dz) =>
    across.map((dx) => {
      const [x, z] = [centre.x + dx, centre.z + dz]
      return readCell(options, { x, z }, marks.get(keyOf(x, z)))
    }),
  )
  const marked = players.slice(0, marksMax).map((player, place) => ({ mark: markOf(place), player }))
  return { centre, radius, rows, marked }
}
