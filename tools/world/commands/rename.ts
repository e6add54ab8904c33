import { readArguments } from '../read-arguments.ts'
import { plural } from '../words.ts'
import { defineWorldCommand } from '../world-command.ts'

/** Gives a world that no node runs another name. */
export const renameCommand = defineWorldCommand({
  name: 'rename',
  usage: 'NAME NEW',
  help: 'gives the world another name, with its history, places, zones and grants',
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
      print(`GAME_WORLD_NAME selects ${from}: set it to ${to}, or the next start makes a new world of the old name.\n`)
    return 0
  },
})
