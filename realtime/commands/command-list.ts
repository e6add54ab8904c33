import type { Command } from './command.ts'

/** The commands of a server now: its own, and those of modules. */
export type CommandList = {
  /** In the order of help. The same array until the commands of modules change. */
  all(): readonly Command[]
  /** The commands of the server itself. */
  own(): readonly Command[]
  /** Replaces the commands of modules. */
  setModuleCommands(commands: readonly Command[]): void
}

export const createCommandList = (own: readonly Command[]): CommandList => {
  let all = own
  return {
    all: () => all,
    own: () => own,
    setModuleCommands: (commands) => {
      all = commands.length === 0 ? own : [...own, ...commands]
    },
  }
}
