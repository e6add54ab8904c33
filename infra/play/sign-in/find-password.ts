import type { PlayOptions } from '../play-arguments.ts'
import type { PlayStreams } from '../play-streams.ts'
import type { LineReader } from '../terminal/line-reader.ts'
import { askSecret } from './ask-secret.ts'

/** The password to sign in with: given, or asked for on a terminal when the server wants one; empty when it does not. */
export const findPassword = async (
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
