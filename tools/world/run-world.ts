import { asksForHelp } from '../../shared/platform/process/asks-for-help.ts'
import { check } from './commands/check-command.ts'
import { exportToFile } from './commands/export.ts'
import { importFrom } from './commands/import.ts'
import { create, deleteCommand, list, map, renameCommand } from './commands/list.ts'
import { pregen } from './commands/pregen.ts'
import { describeFailure } from './describe-failure.ts'
import type { WorldTask } from './open-world-task.ts'
import type { Progress } from './progress.ts'
import type { WorldCommand, WorldExit } from './world-command.ts'

/** Every command of `npm run world`, in the order of its help. */
const worldCommands: readonly WorldCommand[] = [
  create,
  list,
  pregen,
  check,
  exportToFile,
  importFrom,
  map,
  renameCommand,
  deleteCommand,
]

type WorldEdges = {
  /** Arguments after the script's name. */
  readonly args: readonly string[]
  readonly openTask: () => Promise<WorldTask>
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  readonly begin: (what: string, total: number) => Progress
  readonly signal: AbortSignal
}

const usageOf = ({ name, usage }: WorldCommand): string => `npm run world -- ${name} ${usage}`.trimEnd()

const usageOfAll = (): string => worldCommands.map((command) => `  ${usageOf(command)}\n      ${command.help}\n`).join('')

const closing = async (task: WorldTask | undefined, complain: (text: string) => void): Promise<boolean> => {
  try {
    await task?.close()
    return true
  } catch (error) {
    complain(`${describeFailure(error)}\n`)
    return false
  }
}

/** Runs one command on the worlds of the data folder and resolves to the exit code. Opens nothing if the usage is wrong. */
export const runWorld = async ({ args, openTask, ...tell }: WorldEdges): Promise<WorldExit> => {
  const [name, ...rest] = args
  const command = worldCommands.find((candidate) => candidate.name === name)
  if (asksForHelp(args) || name === 'help') {
    tell.print(command === undefined ? usageOfAll() : `  ${usageOf(command)}\n      ${command.help}\n`)
    return 0
  }
  if (command === undefined) {
    tell.complain(`${name === undefined ? 'Name a command.' : `There is no command "${name}".`}\n${usageOfAll()}`)
    return 1
  }
  const prepared = command.prepare(rest)
  if (!prepared.ok) {
    tell.complain(`${prepared.reason}\n  ${usageOf(command)}\n`)
    return 1
  }
  let task: WorldTask | undefined
  let exit: WorldExit
  try {
    task = await openTask()
    exit = await prepared.value({ task, ...tell })
  } catch (error) {
    // Errors that follow from an abort are not failures.
    exit = tell.signal.aborted ? 130 : 2
    tell.complain(exit === 130 ? 'Stopped.\n' : `${describeFailure(error)}\n`)
  }
  return (await closing(task, tell.complain)) ? exit : 2
}
