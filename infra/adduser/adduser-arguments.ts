import { parseArgs } from 'node:util'

export const adduserUsage = `npm run adduser -- <email> <password> [DisplayName] [--groups admin,builder]
  A password of - is read from standard input, and so stays out of the shell's history.
  Put -- before an argument that begins with -. Without --groups the account gets the default groups.`

type AdduserArguments = {
  readonly email: string
  /** Absent: to be read from standard input. */
  readonly password: string | undefined
  readonly displayName: string | undefined
  readonly groups: readonly string[] | undefined
}

type Parsed = { readonly ok: true; readonly value: AdduserArguments } | { readonly ok: false; readonly reason: string }

const splitNames = (list: string): string[] => list.split(',').map((name) => name.trim())

/** Reads the arguments after the script's name; the reason of a refusal never repeats a password. */
export const parseAdduserArguments = (args: readonly string[]): Parsed => {
  let parsed: { readonly positionals: string[]; readonly groups: string | undefined }
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: { groups: { type: 'string' } },
      allowPositionals: true,
    })
    parsed = { positionals, groups: values.groups }
  } catch {
    return { ok: false, reason: 'There is an option that this command does not have, or one without its value.' }
  }
  const [email, password, displayName, ...rest] = parsed.positionals
  if (email === undefined || password === undefined) return { ok: false, reason: 'Email and password are needed.' }
  if (rest.length > 0) return { ok: false, reason: 'Too many arguments: put a display name with spaces in quotes.' }
  const groups = parsed.groups === undefined ? undefined : splitNames(parsed.groups)
  if (groups?.includes('') === true) return { ok: false, reason: 'Between the commas of --groups stands a name each.' }
  return { ok: true, value: { email, password: password === '-' ? undefined : password, displayName, groups } }
}
