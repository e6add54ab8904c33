import { knownPermissions } from '../../../shared/domain/permissions/known-permissions.ts'

/** A command as completion knows it; `usage` is `/kick <player> [reason]`. */
type CompletableCommand = { readonly name: string; readonly usage: string }

export type CompletionSource = {
  readonly commands: readonly CompletableCommand[]
  /** Display names of players. */
  readonly players: readonly string[]
  readonly groups: readonly string[]
  readonly emails: readonly string[]
  readonly zones: readonly string[]
  readonly configs: readonly string[]
  /** Ids of blocks to build with. */
  readonly blocks: readonly string[]
}

/** Some to choose from. */
const durations = ['10m', '1h', '1d', '7d', '4w']

const quoteIfNeeded = (name: string): string => (/[\s"]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name)

/** What stands between the brackets of a usage at each place; alternatives (` or `) one after the other. */
const listPlaceholders = (usage: string, index: number): string[] =>
  usage
    .split(' or ')
    .flatMap((form) => [...form.matchAll(/[<[]([^>\]]+)[>\]]/g)].slice(index, index + 1).map((match) => match[1] ?? ''))

/** What stands before the last comma of a list stays as it is. */
const appendEach = (list: string, names: readonly string[]): readonly string[] => {
  const before = list.slice(0, list.lastIndexOf(',') + 1)
  const listed = before.split(',')
  return names.filter((name) => !listed.includes(name)).map((name) => `${before}${name}`)
}

type Offer = (source: CompletionSource, last: string) => readonly string[]

const offerPlayers: Offer = ({ players }) => players.map(quoteIfNeeded)
const offerCommands: Offer = ({ commands }) => commands.map(({ name }) => name)
const offerHere: Offer = () => ['~']

/** By the names that arguments have; a test holds it to those of all commands. */
const offers: Readonly<Record<string, Offer>> = {
  command: offerCommands,
  'permission-or-command': (source, last) => [...offerCommands(source, last), ...knownPermissions],
  'group-or-permission': ({ groups }) => [...groups, ...knownPermissions],
  player: offerPlayers,
  'player-or-address': offerPlayers,
  email: (source, last) => [...new Set([...offerPlayers(source, last), ...source.emails])],
  groups: ({ groups }, last) => appendEach(last, groups),
  duration: () => durations,
  id: ({ zones }) => zones.map(quoteIfNeeded),
  config: ({ configs }) => configs,
  confirm: () => ['confirm', 'status', 'cancel'],
  'verified-or-unverified': () => ['verified', 'unverified'],
  force: () => ['force'],
  type: ({ blocks }) => blocks,
  x: offerHere,
  y: offerHere,
  z: offerHere,
}

const listValues = (source: CompletionSource, placeholder: string, last: string): readonly string[] =>
  placeholder.includes('|') ? placeholder.split('|') : (offers[placeholder]?.(source, last) ?? [])

const startsLike = (text: string, beginning: string): boolean => text.toLowerCase().startsWith(beginning.toLowerCase())

const placeholdersAt = (commands: readonly CompletableCommand[], words: readonly string[]): readonly string[] => {
  const command = commands.find(({ name }) => `/${name}` === words[0]?.toLowerCase())
  return command === undefined || words.length === 1 ? [] : listPlaceholders(command.usage, words.length - 2)
}

/** What the usage asks for where the last word of `line` stands, and that word: `player`, `groups` and the like. */
export const findAsked = (commands: readonly CompletableCommand[], line: string) => {
  const words = line.startsWith('/') ? line.split(/ +/) : []
  return { placeholders: placeholdersAt(commands, words), last: words.at(-1) ?? '' }
}

/** Completions of the last word of `line` and that word, as readline wants them: command names, then what their usage asks for. */
export const completeLine = (source: CompletionSource, line: string): [string[], string] => {
  if (!line.startsWith('/')) return [[], line]
  const words = line.split(/ +/)
  const last = words.at(-1) ?? ''
  if (words.length === 1) return [source.commands.map(({ name }) => `/${name} `).filter((name) => startsLike(name, last)), last]
  const values = placeholdersAt(source.commands, words).flatMap((placeholder) => listValues(source, placeholder, last))
  return [[...new Set(values)].filter((value) => startsLike(value, last)), last]
}
