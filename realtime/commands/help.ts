import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { Command } from './command.ts'
import { usageOf } from './executor/bind-arguments.ts'
import { createRefusal, findCommand, findRefusal } from './executor/decide-command.ts'
import { findText } from './executor/read-arguments.ts'

/** `/help`: lists the commands of the caller, or the usage of one command. */
export const help: Command = {
  ...knownCommand('help'),
  description: 'Lists your commands, or explains one of them.',
  forms: [[{ name: 'command', kind: 'command', optional: true }]],
  run: ({ commands }, caller, args) => {
    const name = findText(args, 'command')
    if (name === undefined) {
      const runnable = commands.filter((command) => findRefusal(command, caller) === undefined)
      return { ok: true, text: runnable.map((command) => `${usageOf(command)} – ${command.description}`).join('\n') }
    }
    const found = findCommand(commands, name)
    if (found.command === undefined)
      return createRefusal('refused', found.message, found.nearest === undefined ? {} : { nearest: found.nearest })
    const refusal = findRefusal(found.command, caller)
    const lines = [usageOf(found.command), found.command.description]
    return { ok: true, text: [...lines, ...(refusal === undefined ? [] : [`You cannot run it: ${refusal.text}`])].join('\n') }
  },
}
