import { readArguments } from '../read-arguments.ts'
import { plural } from '../words.ts'
import { defineWorldCommand } from '../world-command.ts'

/** Deletes a world that no node runs: into the trash folder, or for good. */
export const deleteCommand = defineWorldCommand({
  name: 'delete',
  usage: 'NAME [--now]',
  help: 'moves the world into the trash folder of the data folder; with --now it is gone for good',
  parse: (args) => {
    const read = readArguments(args, ['NAME'], { now: 'flag' })
    if (!read.ok) return read
    return { ok: true, value: { name: read.value.positionals[0] ?? '', now: read.value.flags.has('now') } }
  },
  run: async ({ task, print }, { name, now }) => {
    const { zones, accounts, trash } = await task.deleteWorld({ name, now })
    print(`Deleted the world ${name}${zones === 0 ? '' : ` and its ${plural(zones, 'zone')}`}.\n`)
    if (accounts > 0)
      print(`${plural(accounts, 'account')} had grants for it: they stay, and count for a new world of that name.\n`)
    if (task.isActive(name)) print('GAME_WORLD_NAME selects that name: the next start makes a new world of it.\n')
    if (trash !== undefined)
      print(`It lies in ${trash}. Back: npm run world -- import ${trash} ${name}. To free its room, delete that folder.\n`)
    return 0
  },
})
