import { parseArgs } from 'node:util'

type AdduserArguments = {
  readonly email: string
  /** Absent: read from standard input. */
  readonly password: string | undefined
  readonly displayName: string | undefined
  readonly groups: readonly string[] | undefined
  readonly force: boolean
}

type Parsed = { readonly ok: true; readonly value: AdduserArguments } | { readonly ok: false; readonly reason: string }

const splitNames = (list: string): string[] => list.split(',').map((name) => name.trim())

/** Reads the arguments after the script's name. Error messages never contain a password. */
export const parseAdduserArguments = (args: readonly string[]): Parsed => {
  let parsed: { readonly positionals: string[]; readonly groups: string | undefined; readonly force: boolean }
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: { groups: { type: 'string' }, force: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    parsed = { positionals, groups: values.groups, force: values.force }
  } catch {
    return { ok: false, reason: 'An option is unknown or has no value.' }
  }
  const [email, password, displayName, ...rest] = parsed.positionals
  if (email === undefined || password === undefined) return { ok: false, reason: 'Give an email and a password.' }
  if (rest.length > 0) return { ok: false, reason: 'Too many arguments. Put a display name with spaces in quotes.' }
  const groups = parsed.groups === undefined ? undefined : splitNames(parsed.groups)
  if (groups?.includes('') === true) return { ok: false, reason: '--groups has an empty name between its commas.' }
  return {
    ok: true,
    value: { email, password: password === '-' ? undefined : password, displayName, groups, force: parsed.force },
  }
}
