import { readArguments } from '../read-arguments.ts'
import { plural } from '../words.ts'
import { defineWorldCommand } from '../world-command.ts'

/** Deletes a world that no node runs: into the trash folder, or permanently. */
export const deleteCommand = defineWorldCommand({
  name: 'delete',
  usage: 'NAME [--now]',
  help: 'moves the world into the trash folder of the data folder; --now deletes it permanently',
  parse: (args) => {
    const read = readArguments(args, ['NAME'], { now: 'flag' })
    if (!read.ok) return read
    return { ok: true, value: { name: read.value.positionals[0] ?? '', now: read.value.flags.has('now') } }
  },
  run: async ({ task, print }, { name, now }) => {
    const { zones, accounts, trash } = await task.deleteWorld({ name, now })
    print(`Deleted the world ${name}${zones === 0 ? '' : ` and its ${plural(zones, 'zone')}`}.\n`)
    if (accounts > 0)
      print(`${plural(accounts, 'account')} had grants for it. They stay, and count for a new world with this name.\n`)
    if (task.isActive(name)) print('GAME_WORLD_NAME selects this name: the next start creates a new world with it.\n')
    if (trash !== undefined)
      print(
        `It is in ${trash}. To restore it: npm run world -- import ${trash} ${name}. To free its space, delete that folder.\n`,
      )
    return 0
  },
})
