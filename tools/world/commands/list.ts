import { keptForImport } from '../../../shared/domain/worlds/world-names.ts'
import { readArguments } from '../read-arguments.ts'
import { sizeOf, tableOf } from '../words.ts'
import { defineWorldCommand } from '../world-command.ts'

const heads = ['NAME', 'SEED', 'COLUMNS', 'SIZE', 'CREATED', 'GENERATOR', 'ACTIVE']

/** Lists all worlds, the active one first. */
export const list = defineWorldCommand({
  name: 'list',
  usage: '',
  help: 'lists the worlds',
  parse: (args) => readArguments(args, []),
  run: async ({ task, print, complain }) => {
    const worlds = await task.worlds.listWorlds()
    const rows = worlds.map(({ name, seed, chunkCount, sizeBytes, createdAt, generator, active }) => [
      name,
      String(seed),
      chunkCount,
      sizeOf(sizeBytes),
      createdAt,
      generator,
      active ? 'yes' : '',
    ])
    print(rows.length === 0 ? 'There are no worlds yet.\n' : tableOf([heads, ...rows]))
    for (const { name, warning } of worlds) if (warning !== undefined) complain(`${name}: ${warning}\n`)
    for (const { name } of await task.listImports()) complain(`${name}: ${keptForImport(name).publicDetail}\n`)
    for (const line of await task.describeStrays()) complain(`${line}\n`)
    return 0
  },
})
