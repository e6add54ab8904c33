import { toPrintableLine } from '../terminal/printable.ts'
import type { LocalCommand } from './local-command.ts'
import { compass, findObstacle, isCompassPoint, walk } from './walk.ts'

const blocksMax = 1_000
const defaultBlocks = 5

/** What the reasons of a Correction mean (`gatehouse.proto`). */
const stops: Readonly<Record<string, string>> = {
  'too-fast': 'that was too fast for the server',
  'out-of-bounds': 'the world ends there',
  edge: 'the land there is not made yet, try again in a moment',
  'zone-closed': 'a zone there lets in its members only',
  teleport: 'you were moved elsewhere',
}

const round = (value: number): number => Math.round(value * 10) / 10

/** Walks along the ground by small moves, and says where that led or what stopped it. */
export const walkCommand: LocalCommand = {
  name: 'walk',
  usage: `/walk <${Object.keys(compass).join('|')}> [blocks]`,
  description: 'walks along the ground, over steps of one block',
  needsBlocks: false,
  run: async ({ game, show, signal }, [way = '', written = String(defaultBlocks), ...extra]) => {
    const towards = way.toLowerCase()
    const blocks = Number(written)
    if (!isCompassPoint(towards) || !(blocks > 0 && blocks <= blocksMax) || extra.length > 0) {
      show(`! Usage: ${walkCommand.usage}; at most ${blocksMax} blocks.`)
      return
    }
    const start = game.session.position()
    const refused = await walk(game, { towards, blocks, signal })
    const position = game.session.position()
    const place = [position.x, position.y, position.z].map(round).join(' ')
    const walked = round(Math.hypot(position.x - start.x, position.z - start.z))
    const obstacle = findObstacle(game.world.blocks, position, compass[towards]) ?? 'something solid'
    if (refused === undefined) show(`* You are at ${place}.`)
    else if (refused === 'blocked')
      show(`! Blocked by ${toPrintableLine(obstacle)} after ${walked} of ${blocks} blocks; you are at ${place}.`)
    else
      show(`! Stopped after ${walked} of ${blocks} blocks: ${stops[refused] ?? toPrintableLine(refused)}. You are at ${place}.`)
  },
}
