import type { CommandHint } from './hud.ts'

/** What may follow a line that is being typed: whole lines, and what each means. */
export type Completion = { readonly line: string; readonly label: string; readonly description: string }

const shownMax = 8

const bare = (name: string): string => name.replace(/^\//, '')

const completeName = (typed: string, commands: readonly CommandHint[]): readonly Completion[] =>
  commands
    .filter(({ name }) => bare(name).startsWith(typed.toLowerCase()))
    .map(({ name, usage, description }) => ({ line: `/${bare(name)} `, label: usage || `/${bare(name)}`, description }))

/** A name with a space in it stands in quotes. */
const quote = (name: string): string => (/[\s"]/.test(name) ? `"${name.replaceAll('"', '\\"')}"` : name)

const completeArgument = (line: string, command: CommandHint, people: readonly string[]): readonly Completion[] => {
  const at = line.lastIndexOf(' ') + 1
  const typed = line.slice(at).replace(/^"/, '').toLowerCase()
  const wanted = bare(command.usage).split(/\s+/)[line.trimEnd().split(/\s+/).length - (typed === '' ? 0 : 1)] ?? ''
  const hint = { line, label: command.usage, description: command.description }
  if (!/player|name|email|who/i.test(wanted)) return [hint]
  const fitting = people.filter((name) => name.toLowerCase().startsWith(typed))
  return [hint, ...fitting.map((name) => ({ line: `${line.slice(0, at)}${quote(name)} `, label: name, description: '' }))]
}

/** Completions of a line in the chat, the best first: commands by their name, then people where a command wants one. */
export const completeLine = (
  line: string,
  commands: readonly CommandHint[],
  people: readonly string[],
): readonly Completion[] => {
  if (!line.startsWith('/')) return []
  const space = line.indexOf(' ')
  if (space < 0) return completeName(line.slice(1), commands).slice(0, shownMax)
  const command = commands.find(({ name }) => bare(name) === line.slice(1, space).toLowerCase())
  return command === undefined ? [] : completeArgument(line, command, people).slice(0, shownMax)
}
