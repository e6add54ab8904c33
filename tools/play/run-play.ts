import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { createCall } from '../../sdk/admin/call.ts'
import { connect } from '../../sdk/connection/connect.ts'
import { watchWorld } from '../../sdk/world/watch-world.ts'
import { asksForHelp } from '../usage/asks-for-help.ts'
import { findSignIn, UsageFault } from './find-sign-in.ts'
import { watchEnd } from './game.ts'
import { type PlayOptions, parsePlayArguments, playUsage } from './play-arguments.ts'
import { playLines } from './play-lines.ts'
import type { PlayStreams } from './play-streams.ts'
import { createKnownNames } from './terminal/known-names.ts'
import { createLineReader, createTextReader, type LineReader } from './terminal/line-reader.ts'
import { createNarrator } from './terminal/narrate.ts'
import { createScreen } from './terminal/screen.ts'
import { createTerminal } from './terminal/terminal.ts'
import { findTerminalLook } from './terminal/terminal-look.ts'

const openPlainReader = (input: NodeJS.ReadableStream): LineReader =>
  createLineReader(createInterface({ input, crlfDelay: Infinity }))

/** Standard input as plain lines, opened on the first use: a script without a password leaves it alone. */
const createStdinReader = ({ input }: PlayStreams): LineReader => {
  let reader: LineReader | undefined
  const open = (): LineReader => {
    reader ??= openPlainReader(input)
    return reader
  }
  return { read: () => open().read(), close: () => reader?.close() }
}

const play = async (streams: PlayStreams, options: PlayOptions): Promise<number> => {
  const { input, output, complain } = streams
  const script = options.script === undefined ? undefined : createTextReader(await readFile(options.script, 'utf8'))
  const stdin = createStdinReader(streams)
  const me = await findSignIn(streams, options, stdin.read)

  const isTerminal = input.isTTY === true && output.isTTY === true && script === undefined
  const terminal = isTerminal ? createTerminal(input, output) : undefined
  const screen = createScreen(output, terminal?.lines)
  const narrator = createNarrator(screen.show)
  try {
    const session = await connect(me, {
      WebSocket,
      clientName: 'gatehouse-play',
      signal: streams.interrupted,
      ...(options.world !== undefined && { world: options.world }),
    })
    const game = { session, world: watchWorld(session) }
    const ended = watchEnd(session, screen.show, Date.now)
    narrator.follow(game)
    terminal?.completeFor({
      commands: narrator.commands,
      players: () => game.world.players.list().map(({ displayName }) => displayName),
      names: createKnownNames({
        command: async (text) => (await session.command(text)).data,
        listsCommand: (name) => narrator.commands().some((command) => command.name === name),
        call: createCall(me),
        now: () => performance.now(),
      }),
      blocks: () => game.world.blocks.placeable().map(({ id }) => id),
    })
    const reader = terminal?.reader ?? script ?? stdin
    const look = findTerminalLook(streams)
    const { interrupted } = streams
    await playLines({ game, ended, reader, narrator, look, show: screen.show, interrupted, inTurn: !isTerminal })
    await session.close()
    const { ok, text } = await ended
    if (ok) output.write(`* ${text}\n`)
    else complain(`${text}\n`)
    return ok ? 0 : 1
  } catch (error) {
    if (streams.interrupted.aborted) return 0
    throw error
  } finally {
    me.close()
    narrator.stop()
    terminal?.reader.close()
    stdin.close()
  }
}

/** The terminal client from its command line to its exit code: 0 after a clean leave, 1 with the reason when it was refused, 2 for bad usage. */
export const runPlay = async (streams: PlayStreams): Promise<number> => {
  if (asksForHelp(streams.args)) {
    streams.output.write(`${playUsage}\n`)
    return 0
  }
  const parsed = parsePlayArguments(streams.args, streams.env)
  const refuseUsage = (message: string): number => {
    streams.complain(`${message}\n\n${playUsage}\n`)
    return 2
  }
  if (!parsed.ok) return refuseUsage(parsed.message)
  try {
    return await play(streams, parsed.options)
  } catch (error) {
    if (error instanceof UsageFault) return refuseUsage(error.message)
    streams.complain(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}
