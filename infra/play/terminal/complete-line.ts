/** A command as completion knows it; `usage` is `/kick <player> [reason]`. */
type CompletableCommand = { readonly name: string; readonly usage: string }

export type CompletionSource = {
  readonly commands: readonly CompletableCommand[]
  /** Display names of players in view. */
  readonly players: readonly string[]
  /** Ids of blocks to build with. */
  readonly blocks: readonly string[]
}

const quoteIfNeeded = (name: string): string => (/[\s"]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name)

/** What stands between the brackets of a usage at each place; alternatives (` or `) one after the other. */
const listPlaceholders = (usage: string, index: number): string[] =>
  usage
    .split(' or ')
    .flatMap((form) => [...form.matchAll(/[<[]([^>\]]+)[>\]]/g)].slice(index, index + 1).map((match) => match[1] ?? ''))

const listValues = ({ commands, players, blocks }: CompletionSource, placeholder: string): readonly string[] => {
  if (placeholder.includes('|')) return placeholder.split('|')
  if (placeholder === 'command' || placeholder === 'permission-or-command') return commands.map(({ name }) => name)
  if (placeholder === 'player' || placeholder === 'email') return players.map(quoteIfNeeded)
  return placeholder === 'type' ? blocks : []
}

const startsLike = (text: string, beginning: string): boolean => text.toLowerCase().startsWith(beginning.toLowerCase())

/** Completions of the last word of `line` and that word, as readline wants them: command names, then what their usage asks for. */
export const completeLine = (source: CompletionSource, line: string): [string[], string] => {
  if (!line.startsWith('/')) return [[], line]
  const words = line.split(/ +/)
  const last = words.at(-1) ?? ''
  if (words.length === 1) return [source.commands.map(({ name }) => `/${name} `).filter((name) => startsLike(name, last)), last]
  const command = source.commands.find(({ name }) => `/${name}` === words[0]?.toLowerCase())
  if (command === undefined) return [[], last]
  const values = listPlaceholders(command.usage, words.length - 2).flatMap((placeholder) => listValues(source, placeholder))
  return [values.filter((value) => startsLike(value, last)), last]
}
