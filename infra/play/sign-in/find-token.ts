import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { systemIds } from '../../../shared/kernel/ids.ts'
import type { PlayOptions } from '../play-arguments.ts'
import type { PlayStreams } from '../play-streams.ts'
import type { LineReader } from '../terminal/line-reader.ts'
import type { SignInClient } from './sign-in.ts'
import { browserWaits, signInByBrowser } from './sign-in-by-browser.ts'

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

/** The token of a new sign-in, in the way that the server asks for; throws UsageFault, or an Error whose message is for the player. */
export const findToken = async (
  streams: PlayStreams,
  { email, password }: Pick<PlayOptions, 'email' | 'password'>,
  { signIn, readLine }: { readonly signIn: SignInClient; readonly readLine: LineReader['read'] },
): Promise<string> => {
  const { provider, requirePassword } = await signIn.readAuthConfig()
  if (provider === 'oauth') {
    const say = (text: string) => streams.output.write(`${text}\n`)
    const { interrupted } = streams
    return signInByBrowser({ signIn, secret: systemIds.secret(), say, interrupted, ...browserWaits })
  }
  if (email === undefined) throw new UsageFault('Say who you are: --email you@example.com.')
  const given = await findPassword(streams, password, { required: requirePassword, readLine })
  return (await signIn.login(email, given)).token
}
