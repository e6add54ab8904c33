import type { Actor } from '../../shared/accounts/actor.ts'
import type { AccountService } from '../../shared/accounts/service/account-service.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { adduserUsage, parseAdduserArguments } from './adduser-arguments.ts'

/** What a task of the command line works with: the accounts of the data folder, and who sits at the machine. */
export type Task = {
  readonly accounts: AccountService
  readonly operator: Actor
  close(): Promise<void>
}

export type AdduserEdges = {
  readonly args: readonly string[]
  readonly openTask: () => Promise<Task>
  readonly stdin: AsyncIterable<Uint8Array | string>
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
}

const passwordInputBytesMax = 4096

/** The first line, so that a person at a terminal ends it with Enter. */
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

/** Adds one account and says so. The exit code: 0 added, 1 bad usage, 2 refused, with the reason complained of. */
export const runAdduser = async ({ args, openTask, stdin, print, complain }: AdduserEdges): Promise<0 | 1 | 2> => {
  const parsed = parseAdduserArguments(args)
  if (!parsed.ok) {
    complain(`${parsed.reason}\n${adduserUsage}\n`)
    return 1
  }
  const { email, displayName, groups } = parsed.value
  let task: Task | undefined
  try {
    const password = parsed.value.password ?? (await readPassword(stdin))
    task = await openTask()
    const account = await task.accounts.createAccount(task.operator, {
      email,
      password,
      ...(displayName === undefined ? {} : { displayName }),
      ...(groups === undefined ? {} : { groups }),
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
