import { systemIds } from '../../../shared/kernel/ids.ts'
import type { PlayOptions } from '../play-arguments.ts'
import type { PlayStreams } from '../play-streams.ts'
import type { LineReader } from '../terminal/line-reader.ts'
import { findPassword } from './find-password.ts'
import type { SignInClient } from './sign-in.ts'
import { browserWaits, signInByBrowser } from './sign-in-by-browser.ts'

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
