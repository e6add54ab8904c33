import { describeWay } from '../terminal/describe-nearby.ts'
import { toPrintableLine } from '../terminal/printable.ts'
import { crowdMark, type MapCell, type MapSurvey, ownMark } from './survey-map.ts'

/** A kind of block on a map, and how often it is there. */
export type MapKind = { readonly id: string; readonly name: string; readonly colour: number; readonly count: number }

/** The kinds that a map shows, the most frequent first. */
export const listKinds = ({ rows }: MapSurvey): MapKind[] => {
  const kinds = new Map<string, MapKind>()
  for (const cell of rows.flat())
    if (cell.kind === 'block') {
      const { id, name, colour } = cell
      kinds.set(id, { id, name, colour, count: (kinds.get(id)?.count ?? 0) + 1 })
    }
  return [...kinds.values()].sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1))
}

/** Whether any place on the map is of that kind. */
export const hasCells = ({ rows }: MapSurvey, kind: MapCell['kind']): boolean =>
  rows.some((row) => row.some((cell) => cell.kind === kind))

/** The line above a map. */
export const describeMap = ({ centre: { x, y, z }, radius }: MapSurvey): string =>
  `Map around ${x} ${y} ${z}, ${radius * 2 + 1} blocks square, north is up.`

/** Who stands where, in words. */
export const describeMarks = ({ centre, marked, rows }: MapSurvey): string => {
  const others = marked.map(({ mark, player }) => {
    const there = { x: Math.floor(player.x), z: Math.floor(player.z) }
    return `${mark} ${toPrintableLine(player.displayName)} (${describeWay(centre, there)})`
  })
  const crowd = rows.flat().some(({ mark }) => mark === crowdMark) ? [`${crowdMark} more players`] : []
  return [`${ownMark} you`, ...others, ...crowd].join(', ')
}
