import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Value } from '@sinclair/typebox/value'
import { importWorldFile } from '../../../shared/domain/world-moves/files/import/import-world-file.ts'
import { WorldSpawn } from '../../../shared/domain/worlds/world.ts'
import { writeWholeFile } from '../file/write-world-file.ts'
import { importMinecraft } from '../minecraft/import-minecraft.ts'
import { describeReport, reportToJson } from '../minecraft/import-report.ts'
import type { Progress } from '../progress.ts'
import { readArguments } from '../read-arguments.ts'
import { plural } from '../words.ts'
import { defineWorldCommand, type WorldContext } from '../world-command.ts'

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

/** Zip files begin like this, including those named .mcworld. */
const isZip = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1') === 'PK\u0003\u0004'
  } finally {
    await file.close()
  }
}

const parseSpawn = (text: string): WorldSpawn | undefined => {
  const [, x, z] = /^(-?\d{1,8}),(-?\d{1,8})$/.exec(text) ?? []
  const spawn = { x: Number(x) + 0.5, z: Number(z) + 0.5 }
  return Value.Check(WorldSpawn, spawn) ? spawn : undefined
}

const importFile = async ({ task, begin, signal }: WorldContext, path: string, name: string) => {
  const { openStage, createRegistry, moduleStates } = task
  let progress: Progress | undefined
  const onBegin = (columns: number) => {
    progress = begin(`Importing ${name}`, columns)
  }
  try {
    return await importWorldFile(
      { openStage, createRegistry, moduleStates, signal, onBegin, onColumn: () => progress?.advance() },
      { path, name },
    )
  } finally {
    progress?.end()
  }
}

/** Creates a world from an exported file, or from a folder of Minecraft Java Edition 1.18 or newer. */
export const importFrom = defineWorldCommand({
  name: 'import',
  usage: 'FILE|FOLDER NAME [--spawn X,Z] [--report FILE.json]',
  help: 'creates a world from an exported file, a folder in trash, or the folder of a Minecraft Java Edition world (1.18 or newer)',
  parse: (args) => {
    const read = readArguments(args, ['FILE or FOLDER', 'NAME'], { report: 'value', spawn: 'value' })
    if (!read.ok) return read
    const [path = '', name = ''] = read.value.positionals
    const spawn = read.value.values.spawn === undefined ? undefined : parseSpawn(read.value.values.spawn)
    if (read.value.values.spawn !== undefined && spawn === undefined)
      return { ok: false, reason: '--spawn must be X,Z: two whole numbers of blocks, such as --spawn 120,-48.' }
    return { ok: true, value: { path, name, reportPath: read.value.values.report, spawn } }
  },
  run: async (context, { path, name, reportPath, spawn }) => {
    const found = await stat(path).catch(() => undefined)
    const isReported = found?.isDirectory() === true && !(await isThere(join(path, 'world.json')))
    if (reportPath !== undefined && !isReported) {
      context.complain('--report only works with the folder of a Minecraft world. Nothing was imported.\n')
      return 2
    }
    if (reportPath !== undefined && !(await isFolder(dirname(reportPath)))) {
      context.complain(`The report cannot be written to ${reportPath}: there is no such folder. Nothing was imported.\n`)
      return 2
    }
    if (found?.isFile() === true && (await isZip(path))) {
      context.complain(`${path} is a zip file. Unpack it and give the folder that contains level.dat.\n`)
      return 2
    }
    if (spawn !== undefined && !isReported) {
      context.complain('--spawn only works with the folder of a Minecraft world. Nothing was imported.\n')
      return 2
    }
    if (!found?.isDirectory()) {
      const { world, columns } = await importFile(context, path, name)
      context.print(`Imported ${plural(columns, 'column')} as ${world.name}.\n`)
      return 0
    }
    const back = await context.task.returnWorld({ folder: path, name })
    if (back !== undefined) {
      context.print(
        `Restored ${back.name} with its history and the positions of players. To restore its zones, undo their deletion.\n`,
      )
      return 0
    }
    const report = await importMinecraft(context, { folder: path, name, spawn })
    context.print(describeReport(report))
    if (reportPath !== undefined) await writeWholeFile(reportPath, [Readable.from([Buffer.from(reportToJson(report))])])
    return 0
  },
})
