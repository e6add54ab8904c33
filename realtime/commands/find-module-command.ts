import type { Command } from './command.ts'

/** The command of a module with that short or full name, with or without the slash. */
export const findModuleCommand = (commands: readonly Command[], written: string): Command | undefined => {
  const wanted = written.toLowerCase().replace(/^\//, '')
  return commands.find(({ module, name, fullName }) => module !== undefined && (name === wanted || fullName === wanted))
}
