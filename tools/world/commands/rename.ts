import { readArguments } from '../read-arguments.ts'
import { plural } from '../words.ts'
import { defineWorldCommand } from '../world-command.ts'

/** Renames a world that no node runs. */
export const renameCommand = defineWorldCommand({
  name: 'rename',
  usage: 'NAME NEW',
  help: 'renames the world, with its history, places, zones and grants',
  parse: (args) => {
    const read = readArguments(args, ['NAME', 'NEW'])
    if (!read.ok) return read
    const [from = '', to = ''] = read.value.positionals
    return { ok: true, value: { from, to } }
  },
  run: async ({ task, print }, { from, to }) => {
    const { zones, accounts } = await task.renameWorld({ from, to })
    print(`Renamed the world ${from} to ${to}, with ${plural(zones, 'zone')} and the grants of ${plural(accounts, 'account')}.\n`)
    if (task.isActive(from))
      print(`GAME_WORLD_NAME selects ${from}. Set it to ${to}, or the next start creates a new world with the old name.\n`)
    return 0
  },
})
