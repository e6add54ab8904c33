import type { CommandInfo } from '../../../realtime/protocol/generated/gatehouse.ts'
import type { GameClient } from '../client/game-client.ts'
import { listLocalCommands } from '../commands/local-commands.ts'
import { describeNearby } from './describe-nearby.ts'
import { toPrintable, toPrintableLine } from './printable.ts'

/** At most one line of who is near in this time. */
const nearbyEveryMs = 1_000

export type Narrator = {
  /** Shows what happens on a connection from now on. */
  follow(client: GameClient): void
  /** What the server last said that this session may run. */
  commands(): readonly CommandInfo[]
  stop(): void
}

/** Shows a line when those who are near are others than before. */
const createNearbyLine = (show: (text: string) => void) => {
  let shown = ''
  let timer: NodeJS.Timeout | undefined
  const tell = (client: GameClient): void => {
    timer = undefined
    const players = client.nearby.list()
    const names = players.map(({ playerId }) => playerId).join()
    if (names === shown) return
    shown = names
    show(`* ${describeNearby(client.position(), players)}`)
  }
  return {
    changed: (client: GameClient) => {
      timer ??= setTimeout(() => tell(client), nearbyEveryMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Turns the events of connections into lines for a person; text of others cannot reach the terminal's controls. */
export const createNarrator = (show: (text: string) => void): Narrator => {
  const nearbyLine = createNearbyLine(show)
  let commands: readonly CommandInfo[] = []
  let playerId = ''

  const follow = (client: GameClient): void => {
    const { events } = client
    events.on('welcome', (welcome) => {
      commands = welcome.commands
      const isBack = playerId === welcome.playerId
      playerId = welcome.playerId
      const own = listLocalCommands(client.world.placeable())
        .map(({ name }) => `/${name}`)
        .join(' ')
      const name = toPrintableLine(welcome.displayName)
      show(
        isBack
          ? '* Back in the game.'
          : `* Welcome to ${welcome.world?.name}, ${name}. /help lists commands; of this client: ${own}`,
      )
      if (!isBack && welcome.motd !== undefined) show(`* ${toPrintable(welcome.motd)}`)
    })
    events.on('chat', ({ from, text }) => show(`<${toPrintableLine(from)}> ${toPrintableLine(text)}`))
    events.on('notice', ({ severity, text }) => show(`* ${severity}: ${toPrintable(text)}`))
    events.on('refused', ({ message, seq }) => {
      if (seq === undefined) show(`! ${toPrintable(message)}`)
    })
    events.on('correction', ({ reason, position }) => {
      const place = position === undefined ? '' : ` You are at ${[position.x, position.y, position.z].map(Math.round).join(' ')}.`
      show(
        reason === 'teleport'
          ? `* You were moved.${place}`
          : `! The server refused that move: ${toPrintableLine(reason)}.${place}`,
      )
    })
    events.on('permissionsChanged', (changed) => {
      commands = changed.commands
      show(`* Your groups are now: ${changed.groups.join(', ') || 'none'}.`)
    })
    events.on('zoneChanged', ({ entered }) =>
      show(entered === undefined ? '* You are in no zone.' : `* You are in zone "${toPrintableLine(entered.name)}".`),
    )
    events.on('blocksRegistry', () =>
      show(`* The server changed its blocks; there are ${client.world.placeable().length} to build with.`),
    )
    events.on('players', () => nearbyLine.changed(client))
  }
  return { follow, commands: () => commands, stop: nearbyLine.stop }
}
