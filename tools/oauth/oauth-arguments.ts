import { parseArgs } from 'node:util'
import { normalizeEmail } from '../../shared/domain/accounts/email.ts'

export const oauthUsage = `npm run oauth -- check [--offline] [--email you@example.com --values a,b] [--claims FILE]

  Checks whether people can sign in with the stored auth.oauth of server.yaml, and the effect on accounts. Changes nothing.
  --offline      sends no requests to the identity provider
  --email        an account, or the email of a new user; --values gives the values of their groups claim
  --claims FILE  claims as the provider sends them (the JSON of an ID token or of userinfo), one object or a list`

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
    return refuse('An option is unknown or has no value.')
  }
  const [command, ...extra] = read.positionals
  const { offline, email: given, values, claims } = read.values
  if (command !== 'check') return refuse(command === undefined ? 'Name a command.' : `There is no command "${command}".`)
  if (extra.length > 0) return refuse('Too many arguments.')
  if ((given === undefined) !== (values === undefined)) return refuse('Give --email and --values together.')
  const email = given === undefined ? undefined : normalizeEmail(given)
  if (given !== undefined && email === undefined) return refuse('--email must be an email like local@domain.')
  const split = (values ?? '').split(',').map((value) => value.trim())
  const person = email === undefined ? undefined : { email, values: split.filter((value) => value !== '') }
  return { ok: true, value: { isOffline: offline, person, claimsFile: claims } }
}
