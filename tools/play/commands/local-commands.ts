import { mapCommand } from '../map/map-command.ts'
import { describeNearby } from '../terminal/describe-nearby.ts'
import { breakCommand, placeCommand } from './build-commands.ts'
import type { LocalCommand } from './local-command.ts'
import { walkCommand } from './walk-command.ts'

const near: LocalCommand = {
  name: 'near',
  usage: '/near',
  description: 'who is near, and which way',
  needsBlocks: false,
  run: ({ game, show }) => show(describeNearby(game.session.position(), game.world.players.list())),
}

const quit: LocalCommand = {
  name: 'quit',
  usage: '/quit',
  description: 'leaves the game',
  needsBlocks: false,
  run: (context) => context.quit(),
}

/** Every command of this client's own. */
export const localCommands: readonly LocalCommand[] = [near, mapCommand, walkCommand, placeCommand, breakCommand, quit]

/** Those that make sense where there are blocks, or none. */
export const listLocalCommands = (hasBlocks: boolean): readonly LocalCommand[] =>
  localCommands.filter(({ needsBlocks }) => !needsBlocks || hasBlocks)

/** One line a command, for people. */
export const describeLocalCommands = (commands = localCommands): string =>
  commands.map(({ usage, description }) => `  ${usage.padEnd(40)} ${description}`).join('\n')
