import type { Actor } from '../../shared/domain/accounts/actor.ts'
import type { AccountService } from '../../shared/domain/accounts/service/account-service.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { asksForHelp } from '../../shared/platform/process/asks-for-help.ts'
import { parseAdduserArguments } from './adduser-arguments.ts'

const adduserUsage = `npm run adduser -- <email> <password> [DisplayName] [--groups admin,builder] [--force]
  The password - reads it from standard input, which keeps it out of the shell's history.
  Put -- before an argument that begins with -. Without --groups the account gets the default groups.
  --force allows a display name that another account has.`

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
