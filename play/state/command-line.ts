/** A command as Welcome lists it. Its usage is `/kick <player> [reason]`; forms are joined by ` or `. */
export type CommandHint = { readonly name: string; readonly usage: string; readonly description: string }

/** The typed line after the command name. */
export type TypedWords = {
  /** The complete words. */
  readonly whole: readonly string[]
  /** The word at the cursor, without quotes, and its start in the line. */
  readonly typed: string
  readonly from: number
}

/** Without the slash. */
export const nameOf = ({ name }: Pick<CommandHint, 'name'>): string => name.replace(/^\//, '')

/** The argument names of each form. */
const readForms = (usage: string): readonly (readonly string[])[] =>
  usage.split(' or ').map((form) =>
    form
      .trim()
      .split(/\s+/)
      .slice(1)
      .map((word) => word.replace(/[<>[\]]/g, '')),
  )

/** The name of the argument at an index, in every form that has one. */
export const listArgumentsAt = ({ usage }: CommandHint, at: number): readonly string[] => [
  ...new Set(readForms(usage).flatMap((form) => form[at] ?? [])),
]

const unquote = (word: string): string => (word.startsWith('"') ? word.slice(1).replace(/"$/, '').replaceAll('\\"', '"') : word)

/** Splits a line into words at spaces. A quoted word can contain spaces. */
export const readWords = (line: string): TypedWords => {
  const words = [...line.matchAll(/"(?:[^"\\]|\\.)*"?|\S+/g)]
  const last = words.at(-1)
  const isUnderCursor = last !== undefined && last.index + last[0].length === line.length && !/^".*[^\\]"$/.test(last[0])
  const whole = (isUnderCursor ? words.slice(1, -1) : words.slice(1)).map(([word]) => unquote(word))
  return isUnderCursor && words.length > 1
    ? { whole, typed: unquote(last[0]), from: last.index }
    : { whole, typed: '', from: line.length }
}

/** The command of a line. */
export const findCommand = (line: string, commands: readonly CommandHint[]): CommandHint | undefined => {
  const name = /^\/(\S+)/.exec(line)?.[1]?.toLowerCase()
  return name === undefined ? undefined : commands.find((command) => nameOf(command) === name)
}

/** The line for the log: arguments that are passwords are hidden. */
export const hideSecrets = (line: string, commands: readonly CommandHint[]): string => {
  const command = findCommand(line, commands)
  if (command === undefined || !command.usage.includes('password')) return line
  let at = -2
  return line.replace(/"(?:[^"\\]|\\.)*"?|\S+/g, (word) => {
    at += 1
    return at >= 0 && listArgumentsAt(command, at).includes('password') ? '••••••' : word
  })
}
