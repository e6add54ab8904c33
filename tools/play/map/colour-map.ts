import type { Colours } from '../terminal/terminal-look.ts'
import { background, bold, contrastTo, foreground, resetColours, shade } from './ansi-colours.ts'
import { describeMap, describeMarks, hasCells, listKinds } from './map-legend.ts'
import type { MapCell, MapSurvey } from './survey-map.ts'

/** A colour and two characters, which are about as wide as a line is high. */
type Tile = { readonly colour: number; readonly text: string }

const plain = 0.88
const slopeShade = 0.12
const blocksPerShade = 320
const kindsMax = 12
const dark = 0x101014
const notReceived: Tile = { colour: 0x2a2a2e, text: '··' }

/** Brighter where the ground rises to the south, as if the light came from the north, and the higher it is. */
const colourOf = (cell: Extract<MapCell, { kind: 'block' }>, height: number): number => {
  const factor = plain + cell.slope * slopeShade + (cell.y - height) / blocksPerShade
  return shade(cell.colour, Math.min(1.15, Math.max(0.4, factor)))
}

const tileOf = (cell: MapCell, height: number): Tile => {
  if (cell.kind === 'block') return { colour: colourOf(cell, height), text: '  ' }
  return cell.kind === 'nothing' ? { colour: dark, text: '  ' } : notReceived
}

const drawRow = (row: readonly MapCell[], height: number, colours: Colours): string => {
  let drawn = ''
  let last: number | undefined
  for (const cell of row) {
    const { colour, text } = tileOf(cell, height)
    if (colour !== last || cell.mark !== undefined) drawn += background(colour, colours) + foreground(contrastTo(colour), colours)
    last = cell.mark === undefined ? colour : undefined
    drawn += cell.mark === undefined ? text : `${bold}${cell.mark} ${resetColours}`
  }
  return drawn + resetColours
}

/** A map in colours, two characters a block, shaded by slope and height, with the names of its most frequent kinds. */
export const drawColourMap = (survey: MapSurvey, colours: Colours): string => {
  const kinds = listKinds(survey)
    .slice(0, kindsMax)
    .map((kind) => `${background(kind.colour, colours)}  ${resetColours} ${kind.name}`)
  const more = hasCells(survey, 'not-received') ? [`${notReceived.text} not received yet`] : []
  const rows = survey.rows.map((row) => drawRow(row, survey.centre.y, colours))
  const legend = [...kinds, ...more]
  return [describeMap(survey), ...rows, describeMarks(survey), ...(legend.length > 0 ? [legend.join('  ')] : [])].join('\n')
}
