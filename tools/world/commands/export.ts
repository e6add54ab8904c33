import { exportWorld } from '../file/export-world.ts'
import { readArguments } from '../read-arguments.ts'
import { plural } from '../words.ts'
import { defineWorldCommand } from '../world-command.ts'

/** Writes a world into one compressed file; a node may run it. */
export const exportToFile = defineWorldCommand({
  name: 'export',
  usage: 'NAME FILE',
  help: 'writes the world into one compressed file',
  parse: (args) => {
    const read = readArguments(args, ['NAME', 'FILE'])
    if (!read.ok) return read
    const [name = '', path = ''] = read.value.positionals
    return { ok: true, value: { name, path } }
  },
  run: async (context, { name, path }) => {
    const { columns, missing } = await exportWorld(context, await context.task.worlds.getWorld(name), path)
    context.print(`Exported ${plural(columns, 'column')} of ${name}.\n`)
    if (missing > 0)
      context.complain(
        `${plural(missing, 'column')} had no record and were left out. For details: npm run world -- check ${name}\n`,
      )
    return 0
  },
})
