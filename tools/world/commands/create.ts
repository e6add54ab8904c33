import { readArguments } from '../read-arguments.ts'
import { defineWorldCommand } from '../world-command.ts'

/** Creates a world without columns; they are generated as players come near. */
export const create = defineWorldCommand({
  name: 'create',
  usage: 'NAME [--seed S]',
  help: 'creates a world; S is an integer or a text, random by default',
  parse: (args) => {
    const read = readArguments(args, ['NAME'], { seed: 'value' })
    if (!read.ok) return read
    const { positionals, values } = read.value
    return { ok: true, value: { name: positionals[0] ?? '', seed: values.seed } }
  },
  run: async ({ task, print }, { name, seed }) => {
    const world = await task.worlds.createWorld({ name, ...(seed === undefined ? {} : { seed }) })
    print(`Created the world ${world.name} with the seed ${world.seed} (${world.generator}).\n`)
    return 0
  },
})
