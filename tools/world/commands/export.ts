import { type ExportCounts, openWorldExport } from '../../../shared/domain/worlds/export/open-world-export.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'
import { writeWorldFile } from '../file/write-world-file.ts'
import { readArguments } from '../read-arguments.ts'
import { plural } from '../words.ts'
import { defineWorldCommand, type WorldContext } from '../world-command.ts'

/**
 * Writes every column of a world into one file. Throws AppError for a damaged column and for a file that cannot be written;
 * then no file is left.
 */
const exportWorld = async ({ task, begin, signal }: WorldContext, world: WorldRecord, path: string): Promise<ExportCounts> => {
  const { chunks, createRegistry, moduleStates } = task
  const { list: listStates } = moduleStates
  const opened = await openWorldExport(
    { chunks, createRegistry, listStates, signal, onRead: (columns) => progress.advance(columns) },
    world,
  )
  const progress = begin(`Exporting ${world.name}`, opened.contents.header.chunkCount)
  try {
    await writeWorldFile(path, opened.contents)
  } finally {
    progress.end()
  }
  return opened.counts()
}

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
