import { createInterface, type Interface } from 'node:readline'
import type { CommandInfo } from '../../../sdk/protocol/generated/gatehouse.ts'
import { listLocalCommands } from '../commands/local-commands.ts'
import { type CompletionSource, completeLine, findAsked } from './complete-line.ts'
import type { KnownNames } from './known-names.ts'
import { createLineReader, type LineReader } from './line-reader.ts'

/** What completion draws from, asked for at each use. */
type CompletionSources = {
  readonly commands: () => readonly CommandInfo[]
  /** Display names of players in view. */
  readonly players: () => readonly string[]
  /** Those of others, groups, emails, zones and configs, as far as the server tells. */
  readonly names: KnownNames
  /** Ids of blocks to build with. */
  readonly blocks: () => readonly string[]
}

export type Terminal = {
  readonly lines: Interface
  readonly reader: LineReader
  completeFor(sources: CompletionSources): void
}

/** Asks the server for nothing but what stands where the line ends. */
const readNames = async ({ players, names }: CompletionSources, asked: ReturnType<typeof findAsked>) => {
  const wants = (...some: readonly string[]) => asked.placeholders.some((placeholder) => some.includes(placeholder))
  return {
    players: wants('player', 'player-or-address', 'email') ? [...new Set([...players(), ...(await names.players())])] : [],
    groups: wants('groups', 'group-or-permission') ? await names.groups() : [],
    emails: wants('email') ? await names.emails(asked.last) : [],
    zones: wants('id') ? await names.zones() : [],
    configs: wants('config') ? await names.configs() : [],
  } satisfies Partial<CompletionSource>
}

/** Completions of `line` as readline wants them. */
export const complete = async (sources: CompletionSources, line: string): Promise<[string[], string]> => {
  const listed = sources.commands()
  const blocks = sources.blocks()
  const own = listLocalCommands(blocks.length > 0).filter(({ name }) => !listed.some((command) => command.name === name))
  const commands = [...listed, ...own]
  return completeLine({ commands, blocks, ...(await readNames(sources, findAsked(commands, line))) }, line)
}

/** A prompt with history and completion; Ctrl-C and Ctrl-D end its lines. */
export const createTerminal = (input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Terminal => {
  let sources: CompletionSources | undefined
  const completer = (line: string, answer: (error: null, completions: [string[], string]) => void): void => {
    const none: [string[], string] = [[], line]
    const completions = sources === undefined ? Promise.resolve(none) : complete(sources, line).catch(() => none)
    void completions.then((found) => answer(null, found))
  }
  const lines = createInterface({ input, output, terminal: true, completer, prompt: '> ' })
  lines.on('SIGINT', () => lines.close())
  lines.on('line', () => lines.prompt())
  return {
    lines,
    reader: createLineReader(lines),
    completeFor: (next) => {
      sources = next
    },
  }
}
