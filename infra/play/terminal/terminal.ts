import { createInterface, type Interface } from 'node:readline'
import type { CommandInfo } from '../../../realtime/protocol/generated/gatehouse.ts'
import { listLocalCommands } from '../commands/local-commands.ts'
import { completeLine } from './complete-line.ts'
import { createLineReader, type LineReader } from './line-reader.ts'

/** What completion draws from, asked for at each use. */
type CompletionSources = {
  readonly commands: () => readonly CommandInfo[]
  readonly players: () => readonly string[]
  /** Ids of blocks to build with. */
  readonly blocks: () => readonly string[]
}

export type Terminal = {
  readonly lines: Interface
  readonly reader: LineReader
  completeFor(sources: CompletionSources): void
}

/** A prompt with history and completion; Ctrl-C and Ctrl-D end its lines. */
export const createTerminal = (input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Terminal => {
  let sources: CompletionSources = { commands: () => [], players: () => [], blocks: () => [] }
  const complete = (line: string) => {
    const commands = sources.commands()
    const blocks = sources.blocks()
    const own = listLocalCommands(blocks).filter(({ name }) => !commands.some((command) => command.name === name))
    return completeLine({ commands: [...commands, ...own], players: sources.players(), blocks }, line)
  }
  const lines = createInterface({ input, output, terminal: true, completer: complete, prompt: '> ' })
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
