import { parseArgs } from 'node:util'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import type { AccountService } from '../../shared/domain/accounts/service/account-service.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { asksForHelp } from '../usage/asks-for-help.ts'

const adduserUsage = `npm run adduser -- <email> <password> [DisplayName] [--groups admin,builder] [--force]
  The password - reads it from standard input, which keeps it out of the shell's history.
  Put -- before an argument that begins with -. Without --groups the account gets the default groups.
  --force allows a display name that another account has.`

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

/** The services of a command-line task: the accounts of the data folder, and the operator at the machine. */
export type Task = {
  readonly accounts: AccountService
  readonly operator: Actor
  close(): Promise<void>
}

type AdduserEdges = {
  readonly args: readonly string[]
  readonly openTask: () => Promise<Task>
  readonly stdin: AsyncIterable<Uint8Array | string>
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
}

const passwordInputBytesMax = 4096

/** The first line, so that Enter ends it at a terminal. */
const readPassword = async (stdin: AdduserEdges['stdin']): Promise<string> => {
  let input = Buffer.alloc(0)
  for await (const chunk of stdin) {
    input = Buffer.concat([input, Buffer.from(chunk)])
    if (input.includes('\n') || input.length > passwordInputBytesMax) break
  }
  return input.toString('utf8').split(/\r?\n/, 1)[0] ?? ''
}

const describe = (error: unknown): string => {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error)
  const faults = (error.errors ?? []).map(({ pointer = '', message }) => `  ${pointer.slice(1)} ${message}`)
  return [error.publicDetail, ...faults].join('\n')
}

/** Adds one account and prints it. Exit code: 0 added, 1 bad usage, 2 refused, with the reason on `complain`. */
export const runAdduser = async ({ args, openTask, stdin, print, complain }: AdduserEdges): Promise<0 | 1 | 2> => {
  if (asksForHelp(args)) {
    print(`${adduserUsage}\n`)
    return 0
  }
  const parsed = parseAdduserArguments(args)
  if (!parsed.ok) {
    complain(`${parsed.reason}\n${adduserUsage}\n`)
    return 1
  }
  const { email, displayName, groups, force } = parsed.value
  let task: Task | undefined
  try {
    const password = parsed.value.password ?? (await readPassword(stdin))
    task = await openTask()
    const account = await task.accounts.createAccount(task.operator, {
      email,
      password,
      ...(displayName === undefined ? {} : { displayName }),
      ...(groups === undefined ? {} : { groups }),
      force,
    })
    print(`Added ${account.email} as "${account.displayName}" in ${account.groups.join(', ') || 'no group'}.\n`)
    return 0
  } catch (error) {
    complain(`${describe(error)}\n`)
    return 2
  } finally {
    await task?.close()
  }
}
