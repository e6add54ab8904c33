import { parseArgs } from 'node:util'
import { describeLocalCommands } from './commands/local-commands.ts'

export const playUsage = `Usage: npm run play -- --email you@example.com [--url http://127.0.0.1:3000] [--world NAME] [--password -] [--script FILE]

  --email        who you are; not needed where the server signs people in with a browser
  --world        the world to play in, where the server has several
  --password -   read the password from standard input, its first line; or set GATEHOUSE_PASSWORD
  --script FILE  take lines from a file instead of standard input

In the game a line is chat, /help lists the server's commands, and this client has some of its own:
${describeLocalCommands()}`

export type PlayOptions = {
  /** Needed where the server asks for it. */
  readonly email?: string
  /** Without a slash at the end. */
  readonly url: string
  readonly world?: string
  /** Where the password comes from; asked for when the server wants one and there is none. */
  readonly password:
    | { readonly from: 'stdin' }
    | { readonly from: 'environment'; readonly value: string }
    | { readonly from: 'nowhere' }
  readonly script?: string
}

export type ParsedPlayArguments =
  | { readonly ok: true; readonly options: PlayOptions }
  | { readonly ok: false; readonly message: string }

const refuse = (message: string): ParsedPlayArguments => ({ ok: false, message })

const readFlags = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: {
      email: { type: 'string' },
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      world: { type: 'string' },
      password: { type: 'string' },
      script: { type: 'string' },
    },
  }).values

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** The command line of the terminal client; a fault is a message, never with what was given as a password. */
export const parsePlayArguments = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ParsedPlayArguments => {
  try {
    const { email, url, world, password, script } = readFlags(args)
    if (email !== undefined && !email.includes('@')) return refuse('Say who you are: --email you@example.com.')
    if (!isHttpUrl(url)) return refuse('--url must begin with http:// or https://.')
    if (password !== undefined && password !== '-')
      return refuse('--password takes only "-" (standard input): others could see it in the list of processes.')
    const fromEnvironment = env.GATEHOUSE_PASSWORD
    const source: PlayOptions['password'] =
      password === '-'
        ? { from: 'stdin' }
        : fromEnvironment
          ? { from: 'environment', value: fromEnvironment }
          : { from: 'nowhere' }
    const options = {
      ...(email === undefined ? {} : { email }),
      url: url.replace(/\/+$/, ''),
      ...(world === undefined ? {} : { world }),
      password: source,
      ...(script === undefined ? {} : { script }),
    }
    return { ok: true, options }
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}
