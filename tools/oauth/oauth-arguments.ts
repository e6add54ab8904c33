import { parseArgs } from 'node:util'
import { normalizeEmail } from '../../shared/domain/accounts/email.ts'

export const oauthUsage = `npm run oauth -- check [--offline] [--email you@example.com --values a,b] [--claims FILE]

  Looks whether people could sign in by auth.oauth of server.yaml as it is stored, and what that would do to accounts; changes nothing.
  --offline      asks the identity provider nothing
  --email        an account, or the email of somebody new; with --values: what the groups claim holds for them
  --claims FILE  claims as the provider sends them (an ID token's or userinfo's JSON), one object or a list`

export type OauthArguments = {
  readonly isOffline: boolean
  readonly person: { readonly email: string; readonly values: readonly string[] } | undefined
  readonly claimsFile: string | undefined
}

type Parsed = { readonly ok: true; readonly value: OauthArguments } | { readonly ok: false; readonly reason: string }

const refuse = (reason: string): Parsed => ({ ok: false, reason })

const readFlags = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      offline: { type: 'boolean', default: false },
      email: { type: 'string' },
      values: { type: 'string' },
      claims: { type: 'string' },
    },
  })

/** Reads the arguments after the script's name. */
export const parseOauthArguments = (args: readonly string[]): Parsed => {
  let read: ReturnType<typeof readFlags>
  try {
    read = readFlags(args)
  } catch {
    return refuse('There is an option that this command does not have, or one without its value.')
  }
  const [command, ...extra] = read.positionals
  const { offline, email: given, values, claims } = read.values
  if (command !== 'check') return refuse(command === undefined ? 'What shall be done?' : `There is no command "${command}".`)
  if (extra.length > 0) return refuse('Too many arguments.')
  if ((given === undefined) !== (values === undefined)) return refuse('--email and --values go together.')
  const email = given === undefined ? undefined : normalizeEmail(given)
  if (given !== undefined && email === undefined) return refuse('--email is no email like local@domain.')
  const split = (values ?? '').split(',').map((value) => value.trim())
  const person = email === undefined ? undefined : { email, values: split.filter((value) => value !== '') }
  return { ok: true, value: { isOffline: offline, person, claimsFile: claims } }
}
