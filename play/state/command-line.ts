/** A command as Welcome lists it; its usage is `/kick <player> [reason]`, several forms joined by ` or `. */
export type CommandHint = { readonly name: string; readonly usage: string; readonly description: string }

/** A line that is being typed, behind the name of its command. */
export type TypedWords = {
  /** Words that are whole. */
  readonly whole: readonly string[]
  /** The word under the cursor, without quotes, and where it begins in the line. */
  readonly typed: string
  readonly from: number
}

/** Without the slash. */
export const nameOf = ({ name }: Pick<CommandHint, 'name'>): string => name.replace(/^\//, '')

/** The names of the arguments of each form. */
const readForms = (usage: string): readonly (readonly string[])[] =>
  usage.split(' or ').map((form) =>
    form
      .trim()
      .split(/\s+/)
      .slice(1)
      .map((word) => word.replace(/[<>[\]]/g, '')),
  )

/** What the argument at a place is called, in every form that has one there. */
export const listArgumentsAt = ({ usage }: CommandHint, at: number): readonly string[] => [
  ...new Set(readForms(usage).flatMap((form) => form[at] ?? [])),
]

const unquote = (word: string): string => (word.startsWith('"') ? word.slice(1).replace(/"$/, '').replaceAll('\\"', '"') : word)

/** Takes a line apart: words are parted by spaces, one in quotes may hold some. */
export const readWords = (line: string): TypedWords => {
  const words = [...line.matchAll(/"(?:[^"\\]|\\.)*"?|\S+/g)]
  const last = words.at(-1)
  const isUnderCursor = last !== undefined && last.index + last[0].length === line.length && !/^".*[^\\]"$/.test(last[0])
  const whole = (isUnderCursor ? words.slice(1, -1) : words.slice(1)).map(([word]) => unquote(word))
  return isUnderCursor && words.length > 1
    ? { whole, typed: unquote(last[0]), from: last.index }
    : { whole, typed: '', from: line.length }
}

/** The command that a line names. */
export const findCommand = (line: string, commands: readonly CommandHint[]): CommandHint | undefined => {
  const name = /^\/(\S+)/.exec(line)?.[1]?.toLowerCase()
  return name === undefined ? undefined : commands.find((command) => nameOf(command) === name)
}

/** A line as it may stand in a log: what a command takes as a password is hidden. */
export const hideSecrets = (line: string, commands: readonly CommandHint[]): string => {
  const command = findCommand(line, commands)
  if (command === undefined || !command.usage.includes('password')) return line
  let at = -2
  return line.replace(/"(?:[^"\\]|\\.)*"?|\S+/g, (word) => {
    at += 1
    return at >= 0 && listArgumentsAt(command, at).includes('password') ? '••••••' : word
  })
}
