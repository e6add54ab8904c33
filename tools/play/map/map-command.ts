import type { LocalCommand } from '../commands/local-command.ts'
import { drawColourMap } from './colour-map.ts'
import { drawLetterMap } from './letter-map.ts'
import { surveyMap } from './survey-map.ts'

const radiusMax = 32
const defaultRadius = 12
const charactersPerBlock = 2

type Wish = { readonly radius: number; readonly from: 'sky' | 'here' }

/** Undefined when it makes no sense. */
const readWish = (args: readonly string[]): Wish | undefined => {
  const [first = '', ...rest] = args
  const [written, from = 'sky', ...extra] = /^\d/.test(first) ? [first, ...rest] : [String(defaultRadius), ...args]
  const radius = /^\d+$/.test(written) ? Number(written) : Number.NaN
  if (!(radius >= 1 && radius <= radiusMax) || extra.length > 0) return undefined
  return from === 'sky' || from === 'here' ? { radius, from } : undefined
}

/** The greatest map that fits on a line. */
const fitRadius = (radius: number, columns: number | undefined): number =>
  columns === undefined ? radius : Math.max(1, Math.min(radius, Math.floor((columns / charactersPerBlock - 1) / 2)))

/** Shows the blocks around the player from above: in colours where the terminal has them, in letters elsewhere. */
export const mapCommand: LocalCommand = {
  name: 'map',
  usage: '/map [radius] [sky|here]',
  description: 'the blocks around you from above; "here" looks down from your head, as in a cave',
  needsBlocks: true,
  run: ({ game, show, look }, args) => {
    const wish = readWish(args)
    if (wish === undefined) {
      show(`! Usage: ${mapCommand.usage}; a radius of ${radiusMax} blocks at the most.`)
      return
    }
    const position = game.session.position()
    const survey = surveyMap({
      world: game.world.blocks,
      position,
      players: game.world.players.list(),
      radius: fitRadius(wish.radius, look.columns()),
      ...(wish.from === 'here' && { from: Math.floor(position.y) + 1 }),
    })
    if (survey.rows.every((row) => row.every(({ kind }) => kind === 'not-received')))
      show('! The server has not sent the blocks around you yet.')
    else show(look.colours === 'none' ? drawLetterMap(survey) : drawColourMap(survey, look.colours))
  },
}
