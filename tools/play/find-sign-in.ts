import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { createCall } from '../../sdk/admin/call.ts'
import { ProblemError } from '../../sdk/errors.ts'
import type { Fetch } from '../../sdk/http/ask.ts'
import { type SignIn, signIn } from '../../sdk/sign-in/sign-in.ts'
import { signInByLoopback } from '../../sdk/sign-in/sign-in-by-loopback.ts'
import type { PlayOptions } from './play-arguments.ts'
import type { PlayStreams } from './play-streams.ts'
import type { LineReader } from './terminal/line-reader.ts'

/** Asks on a terminal for one line that is not shown while it is typed; undefined when the player gives up (Ctrl-C, Ctrl-D). */
export const askSecret = async (
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  prompt: string,
): Promise<string | undefined> => {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silence, terminal: true, historySize: 0 })
  output.write(prompt)
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(undefined))
  })
  lines.close()
  output.write('\n')
  return answer
}

/** The password to sign in with: given, or asked for on a terminal when the server wants one; empty when it does not. */
const findPassword = async (
  { input, output }: PlayStreams,
  source: PlayOptions['password'],
  { required, readLine }: { readonly required: boolean; readonly readLine: LineReader['read'] },
): Promise<string> => {
  if (source.from === 'environment') return source.value
  if (source.from === 'nowhere' && !required) return ''
  if (input.isTTY === true) {
    const typed = await askSecret(input, output, 'Password: ')
    if (typed !== undefined) return typed
    throw new Error('No password, no sign-in.')
  }
  const line = source.from === 'stdin' ? await readLine() : undefined
  if (line !== undefined) return line
  throw new Error('This server asks for a password: set GATEHOUSE_PASSWORD, or use --password - and give it on standard input.')
}

/** What is missing on the command line, by what the server asks for. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
}

const hint = `* Still waiting for the browser. If it shows a problem, what stands there says what to do: mend it and open the link again.
  The browser has to run on this machine and take cookies, and to reach the server by the name that the link gives.
  Ctrl-C gives up.`

type BrowserSignIn = {
  readonly url: string
  readonly say: (text: string) => void
  /** Aborted when the player gives up. */
  readonly interrupted: AbortSignal
  readonly fetch?: Fetch
  /** How long to wait for the browser before a word on what may be wrong. */
  readonly hintAfterMs?: number
}

/** Signs in at the server's identity provider in a browser on this machine; throws an Error for the player. */
export const signInByBrowser = async (asked: BrowserSignIn): Promise<SignIn> => {
  const { url, say, interrupted, hintAfterMs = 60_000, fetch: fetchFrom = fetch } = asked
  const show = (link: string) => say(`* Sign in with your browser, on this machine: open this link.\n\n  ${link}\n`)
  const timer = setTimeout(() => say(hint), hintAfterMs)
  try {
    return await signInByLoopback({ url, show, fetch: fetchFrom, signal: interrupted })
  } catch (error) {
    throw interrupted.aborted ? new Error('No sign-in.') : error
  } finally {
    clearTimeout(timer)
  }
}

const attemptsMax = 3

const isRefusedPassword = (error: unknown): boolean =>
  error instanceof ProblemError && error.type === '/problems/invalid-credentials'

const wrongPassword =
  'Wrong password. Check --email and the password, and try again. To play without one, leave out --password and GATEHOUSE_PASSWORD.'

/**
 * Signs in with the password, and asks again on a terminal while it is wrong. Throws an Error for the player. A server that requires no
 * password lets in a visitor with a wrong one, who is signed out again.
 */
const signInByPassword = async (
  streams: PlayStreams,
  { url, email, password: source }: Pick<PlayOptions, 'url' | 'password'> & { readonly email: string },
  { required, readLine }: { readonly required: boolean; readonly readLine: LineReader['read'] },
): Promise<SignIn> => {
  for (let attempt = 1; ; attempt += 1) {
    const password = await findPassword(streams, source, { required, readLine })
    const mayRetry = source.from !== 'environment' && streams.input.isTTY === true && attempt < attemptsMax
    const me = await signIn({ url, email, password }).catch((error: unknown) => {
      if (mayRetry && isRefusedPassword(error)) return undefined
      throw error
    })
    if (me !== undefined && (password === '' || me.verified !== false)) return me
    await me?.signOut().catch(() => undefined)
    if (!mayRetry) throw new Error(wrongPassword)
    streams.output.write('Wrong password. Try again.\n')
  }
}

/** A new sign-in in the way that the server asks for; throws UsageFault, or an Error whose message is for the player. */
export const findSignIn = async (
  streams: PlayStreams,
  { url, email, password }: Pick<PlayOptions, 'url' | 'email' | 'password'>,
  readLine: LineReader['read'],
): Promise<SignIn> => {
  const { provider, requirePassword } = (await createCall({ url })('GET /api/auth/config')).body
  try {
    if (provider === 'oauth') {
      const say = (text: string) => streams.output.write(`${text}\n`)
      return await signInByBrowser({ url, say, interrupted: streams.interrupted })
    }
    if (email === undefined) throw new UsageFault('Say who you are: --email you@example.com.')
    return await signInByPassword(streams, { url, email, password }, { required: requirePassword, readLine })
  } catch (error) {
    throw error instanceof ProblemError ? new Error(`The server refused the sign-in: ${error.message}`, { cause: error }) : error
  }
}
