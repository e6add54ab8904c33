import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Parsed } from './world-command.ts'

/** The kinds of options: one with a value, or a flag. */
export type OptionKinds = Readonly<Record<string, 'value' | 'flag'>>

export type Arguments = {
  /** As many as there are names. */
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly flags: ReadonlySet<string>
}

/** A value may begin with a dash, such as a seed or a box in the west. The parser needs it joined to its option. */
const joinNegatives = (args: readonly string[], kinds: OptionKinds): string[] => {
  const joined: string[] = []
  for (const arg of args) {
    const before = joined.at(-1)
    if (/^-\d/.test(arg) && before?.startsWith('--') && kinds[before.slice(2)] === 'value')
      joined[joined.length - 1] = `${before}=${arg}`
    else joined.push(arg)
  }
  return joined
}

/** The arguments of a command with exactly these positional ones and these options. */
export const readArguments = (args: readonly string[], names: readonly string[], kinds: OptionKinds = {}): Parsed<Arguments> => {
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const [name, kind] of Object.entries(kinds)) options[name] = { type: kind === 'flag' ? 'boolean' : 'string' }
  let read: ReturnType<typeof parseArgs>
  try {
    read = parseArgs({ args: joinNegatives(args, kinds), options, allowPositionals: true })
  } catch {
    return { ok: false, reason: 'An option is unknown or has no value.' }
  }
  const missing = names[read.positionals.length]
  if (missing !== undefined) return { ok: false, reason: `${missing} is missing.` }
  if (read.positionals.length > names.length)
    return { ok: false, reason: 'Too many arguments. Put an argument with spaces in quotes.' }
  const values: Record<string, string> = {}
  const flags = new Set<string>()
  for (const [name, value] of Object.entries(read.values)) {
    if (typeof value === 'string') values[name] = value
    else if (value === true) flags.add(name)
  }
  return { ok: true, value: { positionals: read.positionals, values, flags } }
}
