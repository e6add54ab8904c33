import { inspect } from 'node:util'
import { AppError, type Fault } from '../../../shared/kernel/errors.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { ArgumentValues, Command, CommandCaller, CommandContext, CommandDeps, CommandReply } from '../command.ts'
import type { CommandList } from '../command-list.ts'
import { bindArguments, usageOf } from './bind-arguments.ts'
import { createRefusal, findCommand, findMuteRefusal, findRefusal } from './decide-command.ts'
import { parseCommandText } from './parse-command.ts'

/** The information that a client gets about a command that it may run. */
export type CommandSummary = { readonly name: string; readonly usage: string; readonly description: string }

export type CommandExecutor = {
  /** Runs one command line. Never rejects: a refusal or failure is a reply with `data.code`. */
  execute(caller: CommandCaller, text: string): Promise<CommandReply>
  /** The commands that this caller may run now, in the order of the list. */
  listCommandsFor(caller: CommandCaller): readonly CommandSummary[]
}

type Run = {
  readonly command: Command
  readonly caller: CommandCaller
  readonly values: ArgumentValues
}

const listSecrets = ({ command, values }: Run): string[] =>
  command.forms.flatMap((form) =>
    form.flatMap(({ name, secret }) => {
      const value = values[name]
      return secret === true && value !== undefined ? [String(value)] : []
    }),
  )

/**
 * Describes a JSON Pointer into the input of a service in terms of the typed arguments. An item of a list is described by its
 * value.
 */
const describePointer = (pointer: string, values: ArgumentValues): string => {
  const [name = '', index = ''] = pointer.slice(1).split('/')
  const value = values[name]
  const item = typeof value === 'object' ? value[Number(index)] : undefined
  return item === undefined ? `The argument <${name}>` : `"${item}"`
}

const describeFault = ({ pointer, message }: Fault, values: ArgumentValues): string =>
  pointer === undefined ? message : `${describePointer(pointer, values)} ${message}.`

/** The public part of an error as text: its detail, then one line for each fault. */
const describeAppError = ({ publicDetail, errors = [] }: AppError, values: ArgumentValues): string =>
  errors.length === 0 ? publicDetail : errors.map((fault) => describeFault(fault, values)).join('\n')

/** The forms in which a string can appear in a text: as is, and escaped by JSON or `inspect`. */
const writtenForms = (text: string): string[] => [text, JSON.stringify(text).slice(1, -1), inspect(text).slice(1, -1)]

/**
 * An error with its stack and causes as text for the log. Every `secrets` value is blanked, also if it was escaped once or twice.
 */
const describeCause = (error: unknown, secrets: readonly string[]): string => {
  const forms = new Set(secrets.flatMap(writtenForms).flatMap(writtenForms))
  const longestFirst = [...forms].filter((form) => form !== '').sort((a, b) => b.length - a.length)
  return longestFirst.reduce((text, form) => text.replaceAll(form, '[secret]'), inspect(error, { depth: 6 }))
}

/**
 * The command executor of the chat, the console and the command line. It checks in this order: unknown, switched off, permission,
 * muted, arguments. Then it runs the command.
 */
export const createCommandExecutor = (options: {
  readonly commands: Pick<CommandList, 'all'>
  readonly deps: CommandDeps
  readonly log: Log
}): CommandExecutor => {
  const { commands, log } = options
  let known: readonly Command[] = []
  let context: CommandContext = { ...options.deps, commands: known }
  let summaries: readonly { readonly command: Command; readonly summary: CommandSummary }[] = []
  /** Created once for a list: sessions compare these objects with the list that they sent to their client. */
  const refresh = (): void => {
    if (commands.all() === known) return
    known = commands.all()
    context = { ...options.deps, commands: known }
    summaries = known.map((command) => ({
      command,
      summary: { name: command.name, usage: usageOf(command), description: command.description },
    }))
  }

  const run = async (request: Run): Promise<CommandReply> => {
    const { command, caller, values } = request
    const { requestId } = caller.actor
    const fields = { command: command.name, requestId }
    try {
      return await command.run(context, caller, values)
    } catch (error) {
      const isAppError = error instanceof AppError
      const details = () => ({ ...fields, cause: describeCause(error, listSecrets(request)) })
      if (!isAppError) log.error(details(), 'command failed')
      else if (error.kind === 'unavailable') log.warn(details(), 'command refused: unavailable')
      if (isAppError) return createRefusal('refused', describeAppError(error, values), { slug: error.slug })
      return createRefusal('failed', `internal error (request ${requestId})`, { requestId })
    }
  }

  return {
    execute: async (caller, text) => {
      refresh()
      const found = parseCommandText(text)
      if (!found.ok) return createRefusal('bad-arguments', found.message)
      const { command, message, nearest } = findCommand(known, found.name)
      if (command === undefined) return createRefusal('unknown-command', message, nearest === undefined ? {} : { nearest })
      const refusal = findRefusal(command, caller)
      if (refusal !== undefined) return refusal
      const muteRefusal = findMuteRefusal(command, caller, context.activeSanctions)
      if (muteRefusal !== undefined) return muteRefusal
      const bound = bindArguments(command, found.rest)
      if (!bound.ok) {
        const usage = usageOf(command)
        return createRefusal('bad-arguments', `${bound.message} Usage: ${usage}`, { usage })
      }
      return run({ command, caller, values: bound.values })
    },
    listCommandsFor: (caller) => {
      refresh()
      return summaries.filter(({ command }) => findRefusal(command, caller) === undefined).map(({ summary }) => summary)
    },
  }
}
