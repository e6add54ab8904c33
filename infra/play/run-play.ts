import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import { createGameClient } from './client/game-client.ts'
import { createGameSession } from './client/game-session.ts'
import { type PlayOptions, parsePlayArguments, playUsage } from './play-arguments.ts'
import { playLines } from './play-lines.ts'
import type { PlayStreams } from './play-streams.ts'
import { findToken, UsageFault } from './sign-in/find-token.ts'
import { createSignInClient } from './sign-in/sign-in.ts'
import { createTokenKeeper } from './sign-in/token-keeper.ts'
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
  const signIn = createSignInClient(options.url, fetch)
  const token = await findToken(streams, options, { signIn, readLine: stdin.read })

  const isTerminal = input.isTTY === true && output.isTTY === true && script === undefined
  const terminal = isTerminal ? createTerminal(input, output) : undefined
  const screen = createScreen(output, terminal?.lines)
  const narrator = createNarrator(screen.show)
  const keeper = createTokenKeeper(signIn, token, (text) => screen.show(`! ${text}`))
  const session = createGameSession({
    connect: (credential, url) => createGameClient({ url, binary: options.binary, WebSocket, ...credential }),
    url: options.url,
    token: keeper.token,
    onConnection: (client) => {
      narrator.follow(client)
      terminal?.completeFor({
        commands: narrator.commands,
        players: () => client.nearby.list().map(({ displayName }) => displayName),
        names: createKnownNames({
          command: async (text) => (await client.command(text)).data,
          listsCommand: (name) => narrator.commands().some((command) => command.name === name),
          url: options.url,
          token: keeper.token,
          fetchFrom: fetch,
          now: () => performance.now(),
        }),
        blocks: client.world.placeable,
      })
    },
    onRetry: (text) => screen.show(`* ${text}`),
  })
  try {
    const reader = terminal?.reader ?? script ?? stdin
    const look = findTerminalLook(streams)
    await playLines({ session, reader, narrator, look, show: screen.show, interrupted: streams.interrupted, inTurn: !isTerminal })
    await session.leave()
    const { ok, text } = await session.ended
    if (ok) output.write(`* ${text}\n`)
    else complain(`${text}\n`)
    return ok ? 0 : 1
  } finally {
    narrator.stop()
    keeper.stop()
    terminal?.reader.close()
    stdin.close()
  }
}

/** The terminal client from its command line to its exit code: 0 after a clean leave, 1 with the reason when it was refused, 2 for bad usage. */
export const runPlay = async (streams: PlayStreams): Promise<number> => {
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
