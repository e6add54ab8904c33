import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { importWorldFile } from '../file/import-world-file.ts'
import { writeWholeFile } from '../file/write-world-file.ts'
import { importMinecraft } from '../minecraft/import-minecraft.ts'
import { describeReport, reportToJson } from '../minecraft/import-report.ts'
import { readArguments } from '../read-arguments.ts'
import { plural } from '../words.ts'
import { defineWorldCommand } from '../world-command.ts'

/** Makes a world of an exported file, or of a folder of Minecraft Java Edition 1.18 or newer. */
export const importFrom = defineWorldCommand({
  name: 'import',
  usage: 'FILE|FOLDER NAME [--report FILE.json]',
  help: 'makes a world of an exported file, of a folder in trash, or of the folder of a Minecraft Java Edition world (1.18 or newer)',
  parse: (args) => {
    const read = readArguments(args, ['FILE or FOLDER', 'NAME'], { report: 'value' })
    if (!read.ok) return read
    const [path = '', name = ''] = read.value.positionals
    return { ok: true, value: { path, name, reportPath: read.value.values.report } }
  },
  run: async (context, { path, name, reportPath }) => {
    const found = await stat(path).catch(() => undefined)
    if (!found?.isDirectory()) {
      const { world, columns } = await importWorldFile(context, path, name)
      context.print(`Imported ${plural(columns, 'column')} as ${world.name}.\n`)
      return 0
    }
    const back = await context.task.returnWorld({ folder: path, name })
    if (back !== undefined) {
      context.print(
        `Brought ${back.name} back, with its history and the places of players. Its zones come back by undo of their deletion.\n`,
      )
      return 0
    }
    const report = await importMinecraft(context, path, name)
    context.print(describeReport(report))
    if (reportPath !== undefined) await writeWholeFile(reportPath, [Readable.from([Buffer.from(reportToJson(report))])])
    return 0
  },
})
