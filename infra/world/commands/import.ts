import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { importWorldFile } from '../file/import-world-file.ts'
import { writeWholeFile } from '../file/write-world-file.ts'
import { importMinecraft } from '../minecraft/import-minecraft.ts'
import { describeReport, reportToJson } from '../minecraft/import-report.ts'
import { readArguments } from '../read-arguments.ts'
import { plural } from '../words.ts'
import { defineWorldCommand } from '../world-command.ts'

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

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
    const isReported = found?.isDirectory() === true && !(await isThere(join(path, 'world.json')))
    if (reportPath !== undefined && !isReported) {
      context.complain('--report is for the folder of a Minecraft world: nothing was imported.\n')
      return 2
    }
    if (reportPath !== undefined && !(await isFolder(dirname(reportPath)))) {
      context.complain(`The report cannot be written to ${reportPath}: there is no such folder. Nothing was imported.\n`)
      return 2
    }
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
