import { parseArgs } from 'node:util'

export const conformanceUsage = `Usage: npm run conformance -- --url http://127.0.0.1:3000 [--email admin@example.com --password - | --token -] [--write] [--only PATTERN] [--json]

  --url           where the server is; without credentials only what anybody may ask is checked
  --email         an administrator's; the password comes from the environment variable GATEHOUSE_PASSWORD, or with
  --password -    from standard input, its first line
  --token -       a token of an administrator's verified sign-in from standard input, or --token <token>
  --write         also make accounts and zones and save configs, under names of our own, and take them away again
  --write=worlds  make worlds besides, which cannot be taken away again
  --only PATTERN  only the checks whose group or name holds this; * stands for any text
  --json          the report as one JSON object

Exit status: 0 nothing failed, 1 something did, 2 wrong usage, or no server, or credentials that are refused.`

/** Where a secret comes from. */
export type SecretSource = { readonly from: 'stdin' } | { readonly from: 'given'; readonly value: string }

export type ConformanceOptions = {
  /** Without a slash at the end. */
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
    return '--password takes only "-" (standard input): others could see it in the list of processes.'
  if (token !== undefined) return { kind: 'token', token: token === '-' ? { from: 'stdin' } : { from: 'given', value: token } }
  if (email === undefined) return password === undefined ? { kind: 'none' } : 'Say whose password that is: --email.'
  if (password === '-') return { kind: 'password', email, password: { from: 'stdin' } }
  if (fromEnvironment === undefined || fromEnvironment === '')
    return 'Set GATEHOUSE_PASSWORD, or use --password - and give the password on standard input.'
  return { kind: 'password', email, password: { from: 'given', value: fromEnvironment } }
}

const toOptions = (flags: Flags, env: Readonly<Record<string, string | undefined>>): Parsed => {
  const { url, write, only, json } = flags
  if (url === undefined || !isHttpUrl(url)) return refuse('Say where the server is: --url, beginning with http:// or https://.')
  if (write !== 'no' && write !== 'yes' && write !== 'worlds') return refuse('--write stands alone, or is --write=worlds.')
  const credentials = readCredentials(flags, env.GATEHOUSE_PASSWORD)
  if (typeof credentials === 'string') return refuse(credentials)
  if (write !== 'no' && credentials.kind === 'none') return refuse('--write needs an administrator: --email or --token.')
  const { origin, pathname } = new URL(url)
  return { ok: true, options: { url: origin + pathname.replace(/\/+$/, ''), credentials, write: writes[write], only, json } }
}

/** The command line of the conformance suite; the reason of a refusal never repeats a password or a token. */
export const parseConformanceArguments = (args: readonly string[], env: Readonly<Record<string, string | undefined>>): Parsed => {
  let flags: Flags
  try {
    flags = readFlags(args)
  } catch {
    return refuse('There is an option that this command does not have, or one without its value.')
  }
  return toOptions(flags, env)
}
