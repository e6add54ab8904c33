/** A command as Welcome lists it, such as `/tp <x> <y> <z> or /tp <player>`. */
export type KnownCommand = { readonly name: string; readonly usage: string; readonly description: string }

/** A typed line: its complete words, and the last word, which may be empty. `head` is the text before it. */
export type TypedLine = { readonly words: readonly string[]; readonly last: string; readonly head: string }

const wordPattern = /"(?:\\.|[^"\\])*"?|[^\s"]\S*/g

const bare = (name: string): string => name.replace(/^\//, '').toLowerCase()

/** The word without the quotes and backslashes that hold it together. */
export const unquote = (word: string): string =>
  word.startsWith('"') ? word.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : word

/** The value as one word of a line. */
export const quote = (value: string): string =>
  /[\s"\\]/.test(value) || value === '' ? `"${value.replace(/["\\]/g, '\\$&')}"` : value

/** Splits a line into words as the server does. Quotes may hold spaces. */
export const readLine = (line: string): TypedLine => {
  const found = [...line.matchAll(wordPattern)].map(([word]) => word)
  const final = found.at(-1) ?? ''
  const isOpen = final !== '' && line.endsWith(final)
  const last = isOpen ? final : ''
  return { words: isOpen ? found.slice(0, -1) : found, last, head: line.slice(0, line.length - last.length) }
}

/** The command of a line, once its name is complete. */
export const findCommand = (line: string, commands: readonly KnownCommand[]): KnownCommand | undefined => {
  const [, name] = /^\s*\/(\S+)/.exec(line) ?? []
  return name === undefined ? undefined : commands.find((command) => bare(command.name) === name.toLowerCase())
}

/** The forms of a command, each with its argument names in order. */
export const listForms = ({ usage }: Pick<KnownCommand, 'usage'>): readonly (readonly string[])[] =>
  usage.split(/ or (?=\/)/).map((form) => [...form.matchAll(/[<[]([^>\]]+)[>\]]/g)].map(([, name = '']) => name))

/** The line with dots instead of secrets. */
export const hideSecrets = (line: string, commands: readonly KnownCommand[]): string => {
  const command = findCommand(line, commands)
  const places = command === undefined ? [] : listForms(command).map((form) => form.indexOf('password'))
  let at = -1
  return line.replace(wordPattern, (word) => {
    at += 1
    return at > 0 && places.includes(at - 1) ? '••••' : word
  })
}
