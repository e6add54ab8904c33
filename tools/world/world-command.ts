import type { WorldTask } from './open-world-task.ts'
import type { Progress } from './progress.ts'

/** Exit codes: 0 done, 1 bad usage, 2 refused or failed, 3 damage was found, 130 stopped by Ctrl-C. */
export type WorldExit = 0 | 1 | 2 | 3 | 130

/** The dependencies and outputs of a command. */
export type WorldContext = {
  readonly task: WorldTask
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Starts a progress display; `total` is 0 if it is unknown. */
  readonly begin: (what: string, total: number) => Progress
  /** Aborts when the user stops the run. */
  readonly signal: AbortSignal
}

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

/** A command of `npm run world`. */
export type WorldCommand = {
  readonly name: string
  /** The arguments after the name. */
  readonly usage: string
  /** One line of help. */
  readonly help: string
  /** Reads the arguments after the name and returns a function that runs the command. Has no effects. */
  readonly prepare: (args: readonly string[]) => Parsed<(context: WorldContext) => Promise<WorldExit>>
}

/** Declares a command with arguments that `parse` reads and `run` uses. */
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
