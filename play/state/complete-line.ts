import { words } from '../words.ts'
import { type CommandHint, findCommand, listArgumentsAt, nameOf, readWords } from './command-line.ts'

/** A completion: the whole line, and its new part. */
export type Option = { readonly line: string; readonly label: string; readonly description: string }

export type Completions = {
  /** The usage and description of the typed command. */
  readonly usage: { readonly label: string; readonly description: string } | undefined
  /** Best first. */
  readonly options: readonly Option[]
}

/** Known names for arguments. */
export type KnownNames = {
  readonly commands: readonly CommandHint[]
  readonly people: readonly string[]
  readonly groups: readonly string[]
  readonly zones: readonly string[]
}

const shownMax = 8
const durations = ['10m', '1h', '1d', '7d', '4w']
const units = ['s', 'm', 'h', 'd', 'w']
const permissions = ['world.build', 'world.fly', 'zone.build', 'game.join']

const nothing: Completions = { usage: undefined, options: [] }

/** A number needs a unit. */
const listDurations = (typed: string): readonly string[] =>
  /^\d+$/.test(typed) ? units.map((unit) => `${typed}${unit}`) : durations

type Offer = (known: KnownNames, typed: string) => readonly string[]

/** By the name of an argument. */
const offers: readonly (readonly [RegExp, Offer])[] = [
  [/^(player|email|player-or-address)$/, ({ people }) => people],
  [/^duration$/, (_known, typed) => listDurations(typed)],
  [/^(groups|group-or-permission)$/, ({ groups }) => groups],
  [/^group-or-permission$|^permission-or-command$/, () => permissions],
  [/^(command|permission-or-command)$/, ({ commands }) => commands.map(nameOf)],
  [/^id$/, ({ zones }) => zones],
  [/^[xyz]$/, () => ['~']],
  [/^confirm$/, () => ['confirm']],
  [/^verified-or-unverified$/, () => ['verified', 'unverified']],
  [/^force$/, () => ['force']],
]

/** Whether the command has an argument for a group or zone, of which Welcome lists only some. */
export const wantsNames = ({ usage, name }: CommandHint, of: 'groups' | 'zones'): boolean =>
  of === 'groups' ? /\bgroups?\b/.test(usage) : /^\/?zone:/.test(name)

const completeName = (typed: string, commands: readonly CommandHint[]): readonly Option[] =>
  commands
    .filter((command) => nameOf(command).startsWith(typed.toLowerCase()))
    .map((command) => ({
      line: `/${nameOf(command)} `,
      label: command.usage || `/${nameOf(command)}`,
      description: command.description,
    }))

/** A name with a space needs quotes. */
const quote = (name: string): string => (/[\s"]/.test(name) ? `"${name.replaceAll('"', '\\"')}"` : name)

const completeArgument = (line: string, command: CommandHint, known: KnownNames): readonly Option[] => {
  const { whole, typed, from } = readWords(line)
  const wanted = listArgumentsAt(command, whole.length)
  // A list continues after its last comma.
  const isList = wanted.includes('groups')
  const before = isList ? typed.slice(0, typed.lastIndexOf(',') + 1) : ''
  const begun = typed.slice(before.length).toLowerCase()
  const taken = new Set(before.split(','))
  const values = offers
    .filter(([pattern]) => wanted.some((name) => pattern.test(name)))
    .flatMap(([, offer]) => offer(known, begun))
    .filter((value) => value.toLowerCase().startsWith(begun) && value.toLowerCase() !== begun && !taken.has(value))
  return [...new Set(values)].map((value) => ({
    line: `${line.slice(0, from)}${quote(before + value)}${isList ? '' : ' '}`,
    label: value,
    description: wanted.includes('duration') ? words.duration(value) : '',
  }))
}

/** Completions of a chat line: command names, then values of each argument. */
export const completeLine = (line: string, known: KnownNames): Completions => {
  if (!line.startsWith('/')) return nothing
  if (!line.includes(' ')) return { usage: undefined, options: completeName(line.slice(1), known.commands).slice(0, shownMax) }
  const command = findCommand(line, known.commands)
  if (command === undefined) return nothing
  const { usage, description } = command
  return { usage: { label: usage, description }, options: completeArgument(line, command, known).slice(0, shownMax) }
}
