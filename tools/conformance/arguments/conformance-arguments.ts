import { parseArgs } from 'node:util'

export const conformanceUsage = `Usage: npm run conformance -- --url http://127.0.0.1:3000 [--email admin@example.com --password - | --token -] [--write] [--only PATTERN] [--json]

  --url           the address of the server; without credentials only public requests are checked
  --email         an administrator's email; the password comes from the environment variable GATEHOUSE_PASSWORD, or with
  --password -    from the first line of standard input
  --token -       a token of an administrator's verified sign-in from standard input, or --token <token>
  --write         also creates accounts and zones and saves configs, under names of its own, and removes them again
  --write=worlds  also creates worlds, which it cannot remove again
  --only PATTERN  only checks whose group or name contains the pattern; * matches any text
  --json          prints the report as one JSON object

Exit status: 0 nothing failed, 1 something failed, 2 wrong usage, no server, or refused credentials.`

/** The source of a secret. */
export type SecretSource = { readonly from: 'stdin' } | { readonly from: 'given'; readonly value: string }

export type ConformanceOptions = {
  /** Without a trailing slash. */
  readonly url: string
  readonly credentials:
    | { readonly kind: 'none' }
    | { readonly kind: 'password'; readonly email: string; readonly password: SecretSource }
    | { readonly kind: 'token'; readonly token: SecretSource }
  readonly write: 'nothing' | 'what-goes-again' | 'worlds-too'
  readonly only: string | undefined
  readonly json: boolean
}

type Parsed = { readonly ok: true; readonly options: ConformanceOptions } | { readonly ok: false; readonly reason: string }

const refuse = (reason: string): Parsed => ({ ok: false, reason })

const writes = { no: 'nothing', yes: 'what-goes-again', worlds: 'worlds-too' } as const

const readFlags = (args: readonly string[]) =>
  parseArgs({
    args: args.map((arg) => (arg === '--write' ? '--write=yes' : arg)),
    options: {
      url: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
      token: { type: 'string' },
      write: { type: 'string', default: 'no' },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  }).values

type Flags = ReturnType<typeof readFlags>

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const readCredentials = (
  { email, password, token }: Flags,
  fromEnvironment: string | undefined,
): ConformanceOptions['credentials'] | string => {
  if (email !== undefined && token !== undefined) return 'Give --email or --token, not both.'
  if (password !== undefined && password !== '-')
    return '--password only accepts "-" (standard input). Other users could see a password in the list of processes.'
  if (token !== undefined) return { kind: 'token', token: token === '-' ? { from: 'stdin' } : { from: 'given', value: token } }
  if (email === undefined) return password === undefined ? { kind: 'none' } : 'Add --email: the account of that password.'
  if (password === '-') return { kind: 'password', email, password: { from: 'stdin' } }
  if (fromEnvironment === undefined || fromEnvironment === '')
    return 'Set GATEHOUSE_PASSWORD, or use --password - and enter the password on standard input.'
  return { kind: 'password', email, password: { from: 'given', value: fromEnvironment } }
}

const toOptions = (flags: Flags, env: Readonly<Record<string, string | undefined>>): Parsed => {
  const { url, write, only, json } = flags
  if (url === undefined || !isHttpUrl(url))
    return refuse('Give the address of the server: --url, beginning with http:// or https://.')
  if (write !== 'no' && write !== 'yes' && write !== 'worlds') return refuse('Use --write without a value, or --write=worlds.')
  const credentials = readCredentials(flags, env.GATEHOUSE_PASSWORD)
  if (typeof credentials === 'string') return refuse(credentials)
  if (write !== 'no' && credentials.kind === 'none') return refuse('--write needs an administrator: --email or --token.')
  const { origin, pathname } = new URL(url)
  return { ok: true, options: { url: origin + pathname.replace(/\/+$/, ''), credentials, write: writes[write], only, json } }
}

/** Reads the arguments of the conformance suite. Error messages never contain a password or a token. */
export const parseConformanceArguments = (args: readonly string[], env: Readonly<Record<string, string | undefined>>): Parsed => {
  let flags: Flags
  try {
    flags = readFlags(args)
  } catch {
    return refuse('An option is unknown or has no value.')
  }
  return toOptions(flags, env)
}

const inputBytesMax = 4096

/** The first line of `stdin`, so that Enter ends it at a terminal. */
export const readSecretLine = async (stdin: AsyncIterable<Uint8Array | string>): Promise<string> => {
  let input = Buffer.alloc(0)
  for await (const chunk of stdin) {
    input = Buffer.concat([input, Buffer.from(chunk)])
    if (input.includes('\n') || input.length > inputBytesMax) break
  }
  return input.toString('utf8').split(/\r?\n/, 1)[0] ?? ''
}

/**
 * Whether a check is selected: its feature and name, as one line, contain `pattern`, without regard to case. `*` matches any
 * text.
 */
export const createWanted = (pattern: string | undefined): ((feature: string, check: string) => boolean) => {
  if (pattern === undefined) return () => true
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^$()|[\]\\{}]/g, '\\$&'))
  const form = new RegExp(parts.join('.*'), 'i')
  return (feature, check) => form.test(`${feature}: ${check}`)
}
