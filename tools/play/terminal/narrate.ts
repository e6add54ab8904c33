import type { CommandInfo, Welcome } from '../../../sdk/protocol/generated/gatehouse.ts'
import { listLocalCommands } from '../commands/local-commands.ts'
import type { Game } from '../game.ts'
import { describeNearby } from './describe-nearby.ts'
import { toPrintable, toPrintableLine } from './printable.ts'

/** At most one line of who is near in this time. */
const nearbyEveryMs = 1_000

export type Narrator = {
  /** Shows what happens in the game from now on. */
  follow(game: Game): void
  /** What the server last said that this session may run. */
  commands(): readonly CommandInfo[]
  stop(): void
}

/** Shows a line when those who are near are others than before. */
const createNearbyLine = (show: (text: string) => void) => {
  let shown = ''
  let timer: NodeJS.Timeout | undefined
  const tell = ({ session, world }: Game): void => {
    timer = undefined
    const players = world.players.list()
    const names = players.map(({ playerId }) => playerId).join()
    if (names === shown) return
    shown = names
    show(`* ${describeNearby(session.position(), players)}`)
  }
  return {
    changed: (game: Game) => {
      timer ??= setTimeout(() => tell(game), nearbyEveryMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Turns the events of connections into lines for a person; text of others cannot reach the terminal's controls. */
export const createNarrator = (show: (text: string) => void): Narrator => {
  const nearbyLine = createNearbyLine(show)
  let commands: readonly CommandInfo[] = []

  const welcome = ({ displayName, world }: Welcome, hasBlocks: boolean): void => {
    const own = listLocalCommands(hasBlocks)
      .map(({ name }) => `/${name}`)
      .join(' ')
    show(`* Welcome to ${world?.name}, ${toPrintableLine(displayName)}. /help lists commands; of this client: ${own}`)
  }
  const follow = (game: Game): void => {
    const { session, world } = game
    commands = session.welcome().commands
    welcome(session.welcome(), world.blocks.placeable().length > 0)
    session.on('resumed', (again) => {
      commands = again.commands
      show('* Back in the game.')
    })
    session.on('chat', ({ from, text }) => show(`<${toPrintableLine(from)}> ${toPrintableLine(text)}`))
    session.on('notice', ({ severity, text }) => show(`* ${severity}: ${toPrintable(text)}`))
    session.on('refused', ({ message, seq }) => {
      if (seq === undefined) show(`! ${toPrintable(message)}`)
    })
    session.on('correction', ({ reason, position }) => {
      const place = position === undefined ? '' : ` You are at ${[position.x, position.y, position.z].map(Math.round).join(' ')}.`
      show(
        reason === 'teleport'
          ? `* You were moved.${place}`
          : `! The server refused that move: ${toPrintableLine(reason)}.${place}`,
      )
    })
    session.on('permissionsChanged', (changed) => {
      commands = changed.commands
      show(`* Your groups are now: ${changed.groups.join(', ') || 'none'}.`)
    })
    session.on('zoneChanged', ({ entered }) =>
      show(entered === undefined ? '* You are in no zone.' : `* You are in zone "${toPrintableLine(entered.name)}".`),
    )
    session.on('blocksRegistry', () =>
      show(`* The server changed its blocks; there are ${world.blocks.placeable().length} to build with.`),
    )
    session.on('players', () => nearbyLine.changed(game))
  }
  return { follow, commands: () => commands, stop: nearbyLine.stop }
}
