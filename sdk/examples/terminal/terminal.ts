// Gatehouse in a terminal, with only the client library: npm run play -- --email you@example.com
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { createCall } from '../../admin/call.ts'
import { connect, type Session } from '../../connection/connect.ts'
import { ProblemError } from '../../errors.ts'
import { type SignIn, signIn } from '../../sign-in/sign-in.ts'
import { signInByLoopback } from '../../sign-in/sign-in-by-loopback.ts'
import { watchWorld } from '../../world/watch-world.ts'
import {
  describeLocalCommands,
  describeNearby,
  type Game,
  localCommands,
  runLine,
  toPrintable,
  toPrintableLine,
} from './commands.ts'

export const usage = `Usage: npm run play -- --email you@example.com [--url http://127.0.0.1:3000] [--world NAME] [--password -]

  --email        your email; not needed if the server signs people in with a browser
  --world        the world to play in, if the server has several
  --password -   read the password from the first line of standard input; or set GATEHOUSE_PASSWORD

In the game a line is chat, /help lists the server's commands, and this client has some of its own:
${describeLocalCommands()}`

/** The parts of the process that the terminal client uses. */
export type Terminal = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly complain: (text: string) => void
  /** Aborts when the player interrupts (Ctrl-C, SIGTERM). */
  readonly interrupted: AbortSignal
}

class UsageError extends Error {}

const readOptions = ({ args, env }: Terminal) => {
  const text = { type: 'string' } as const
  const options = { email: text, url: { ...text, default: 'http://127.0.0.1:3000' }, world: text, password: text }
  const { values } = parseArgs({ args: [...args], options })
  if (values.email?.includes('@') === false) throw new UsageError('Add your email: --email you@example.com.')
  if (!/^https?:/.test(values.url) || !URL.canParse(values.url))
    throw new UsageError('--url must begin with http:// or https://.')
  if (values.password !== undefined && values.password !== '-')
    throw new UsageError('--password only accepts "-" (standard input), because other users can see the arguments.')
  const fromEnvironment = values.password === undefined ? env.GATEHOUSE_PASSWORD : undefined
  return { ...values, url: values.url.replace(/\/+$/, ''), password: fromEnvironment, fromInput: values.password === '-' }
}
type Options = ReturnType<typeof readOptions>
type ReadLine = () => Promise<string | undefined>

/** Reads one line that is not shown while the user types it. Undefined if the user cancels. */
export const askSecret = async (
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  prompt: string,
): Promise<string | undefined> => {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: hidden, terminal: true, historySize: 0 })
  output.write(prompt)
  const [answer] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?]
  lines.close()
  output.write('\n')
  return answer
}

const findPassword = async ({ input, output }: Terminal, options: Options, readLine: ReadLine): Promise<string> => {
  const isTyped = input.isTTY === true
  const line = isTyped ? await askSecret(input, output, 'Password: ') : options.fromInput ? await readLine() : undefined
  if (line !== undefined) return line
  throw new Error('This server needs a password. Set GATEHOUSE_PASSWORD, or use --password - and enter it on standard input.')
}

const wrongPassword =
  'Wrong password. Check --email and the password, and try again. To play without one, leave out --password and GATEHOUSE_PASSWORD.'

const signInAsAsked = async (terminal: Terminal, options: Options, readLine: ReadLine): Promise<SignIn> => {
  const { output, interrupted } = terminal
  const { url, email } = options
  const { provider, requirePassword } = (await createCall({ url })('GET /api/auth/config')).body
  const show = (link: string) =>
    output.write(`* Open this link to sign in with your browser, on this machine. Press Ctrl-C to cancel.\n\n  ${link}\n\n`)
  try {
    if (provider === 'oauth') return await signInByLoopback({ url, show, signal: interrupted })
    if (email === undefined) throw new UsageError('Add your email: --email you@example.com.')
    const isAsked = options.fromInput || requirePassword
    const password = options.password || (isAsked ? await findPassword(terminal, options, readLine) : '')
    const me = await signIn({ url, email, password })
    if (password === '' || me.verified !== false) return me
    // A server that requires no password admits a visitor with a wrong one, unverified.
    await me.signOut().catch(() => undefined)
    throw new Error(wrongPassword)
  } catch (error) {
    if (interrupted.aborted) throw new Error('No sign-in.', { cause: error })
    throw error instanceof ProblemError ? new Error(`The server refused the sign-in: ${error.message}`, { cause: error }) : error
  }
}

/** Shows the events of a session as lines. */
const narrate = ({ session, world }: Game, show: (text: string) => void): void => {
  const { displayName, world: place } = session.welcome()
  show(`* Welcome to ${place?.name}, ${toPrintable(displayName)}. /help lists commands.`)
  session.on('resumed', () => show('* Back in the game.'))
  session.on('chat', ({ from, text }) => show(`<${toPrintableLine(from)}> ${toPrintableLine(text)}`))
  session.on('notice', ({ severity, text }) => show(`* ${severity}: ${toPrintable(text)}`))
  session.on('refused', ({ message, seq }) => seq === undefined && show(`! ${toPrintable(message)}`))
  session.on('correction', ({ reason }) =>
    show(reason === 'teleport' ? '* The server moved you.' : `! The server refused that move: ${toPrintableLine(reason)}.`),
  )
  session.on('permissionsChanged', ({ groups }) => show(`* Your groups are now: ${groups.join(', ') || 'none'}.`))
  session.on('zoneChanged', ({ entered }) =>
    show(entered === undefined ? '* You are not in a zone.' : `* You are in zone "${toPrintableLine(entered.name)}".`),
  )
  let seen = ''
  session.on('players', () => {
    const ids = world.players.list().map(({ playerId }) => playerId)
    if (ids.join() !== seen) show(`* ${describeNearby({ session, world })}`)
    seen = ids.join()
  })
}

/** Reports each lost connection, and resolves when the session has ended. */
const watchEnd = (session: Session, show: (text: string) => void): Promise<{ readonly ok: boolean; readonly text: string }> =>
  new Promise((resolve) => {
    session.on('state', (state) => {
      if (state.name === 'ended')
        resolve(state.reason === 'left' ? { ok: true, text: 'You left.' } : { ok: false, text: state.text })
      if (state.name === 'waiting')
        show(`* ${state.text} Trying again in ${Math.max(0.1, Math.round((state.retryAt - Date.now()) / 100) / 10)} s.`)
    })
  })

/** Plays until there are no more lines, the player interrupts, or the session ends. Resolves to the exit code. */
const play = async (terminal: Terminal, options: Options): Promise<number> => {
  const { input, output, complain, interrupted } = terminal
  const isTerminal = input.isTTY === true && output.isTTY === true
  const over = new AbortController()
  let lines: Interface | undefined
  let iterator: AsyncIterator<string> | undefined
  let commands: readonly { readonly name: string }[] = []
  /** Completes the name of a command with the tab key. */
  const completer = (line: string): [string[], string] => {
    const names = [...commands, ...localCommands].map(({ name }) => `/${name} `)
    return [names.filter((name) => line.startsWith('/') && name.startsWith(line)), line]
  }
  const readLine: ReadLine = async () => {
    lines ??= createInterface({ input, output, terminal: isTerminal, completer, prompt: '> ', crlfDelay: Infinity })
    iterator ??= lines.on('SIGINT', () => lines?.close())[Symbol.asyncIterator]()
    if (isTerminal) lines.prompt(true)
    const { done, value } = await iterator.next()
    return done === true ? undefined : value
  }
  const show = (text: string): void => {
    output.write(isTerminal ? `\r\u001b[K${text}\n` : `${text}\n`)
    if (isTerminal) lines?.prompt(true)
  }
  const stop = (): void => {
    over.abort()
    lines?.close()
  }
  interrupted.addEventListener('abort', stop, { once: true })
  const me = await signInAsAsked(terminal, options, readLine)
  try {
    const place = options.world === undefined ? {} : { world: options.world }
    const session = await connect(me, { WebSocket, clientName: 'gatehouse-terminal', signal: interrupted, ...place })
    const game = { session, world: watchWorld(session) }
    const ended = watchEnd(session, show)
    void ended.then(stop)
    narrate(game, show)
    commands = session.welcome().commands
    for (const event of ['resumed', 'permissionsChanged'] as const)
      session.on(event, (now) => {
        commands = now.commands
      })
    while (!over.signal.aborted) {
      const line = await readLine()
      if (line === undefined || over.signal.aborted) break
      const names = new Set(commands.map(({ name }) => name))
      await runLine({ game, show, signal: over.signal, stop }, names, line)
    }
    // The server answers in order: with the Pong, everything sent before has been received.
    if (!over.signal.aborted) await Promise.race([session.ping().catch(() => undefined), ended])
    await session.close()
    const { ok, text } = await ended
    if (ok) output.write(`* ${text}\n`)
    else complain(`${text}\n`)
    return ok ? 0 : 1
  } catch (error) {
    if (interrupted.aborted) return 0
    throw error
  } finally {
    me.close()
    lines?.close()
  }
}

/** Runs the client. Resolves to its exit code: 0 after a clean leave, 1 with the reason if refused, 2 for wrong usage. */
export const runTerminal = async (terminal: Terminal): Promise<number> => {
  try {
    if (terminal.args.some((arg) => arg === '--help' || arg === '-h')) {
      terminal.output.write(`${usage}\n`)
      return 0
    }
    return await play(terminal, readOptions(terminal))
  } catch (error) {
    const { message, code } = error as { readonly message?: string; readonly code?: unknown }
    const isUsage = error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS')
    const text = message ?? String(error)
    terminal.complain(isUsage ? `${text}\n\n${usage}\n` : `${text}\n`)
    return isUsage ? 2 : 1
  }
}
