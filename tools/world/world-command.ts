import type { Progress } from './progress.ts'
import type { WorldTask } from './world-task.ts'

/** How a run ends: 0 done, 1 bad usage, 2 refused or failed, 3 damage was found, 130 stopped by Ctrl-C. */
export type WorldExit = 0 | 1 | 2 | 3 | 130

/** What a command works with, and tells. */
export type WorldContext = {
  readonly task: WorldTask
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Begins to show how far a long work is; `total` 0 when nobody knows it. */
  readonly begin: (what: string, total: number) => Progress
  /** Aborted when somebody wants it to stop. */
  readonly signal: AbortSignal
}

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

/** A command of `npm run world`, and all that there is of it. */
export type WorldCommand = {
  readonly name: string
  /** What stands behind the name. */
  readonly usage: string
  /** One line of help. */
  readonly help: string
  /** Reads the arguments behind the name; what it returns runs the command. Touches nothing. */
  readonly prepare: (args: readonly string[]) => Parsed<(context: WorldContext) => Promise<WorldExit>>
}

/** Declares a command whose arguments are read by `parse` and run by `run`. */
export const defineWorldCommand = <T>({
  name,
  usage,
  help,
  parse,
  run,
}: Pick<WorldCommand, 'name' | 'usage' | 'help'> & {
  readonly parse: (args: readonly string[]) => Parsed<T>
  readonly run: (context: WorldContext, value: T) => Promise<WorldExit>
}): WorldCommand => ({
  name,
  usage,
  help,
  prepare: (args) => {
    const parsed = parse(args)
    return parsed.ok ? { ok: true, value: (context) => run(context, parsed.value) } : parsed
  },
})
