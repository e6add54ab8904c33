import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Progress } from '../world/progress.ts'

/** Exit codes: 0 both places are the same, 1 bad usage, 2 refused or failed, 3 the places differ, 130 stopped by Ctrl-C. */
export type MigrateExit = 0 | 1 | 2 | 3 | 130

/** The dependencies and outputs of a migration. */
export type MigrateDeps = {
  readonly clock: Clock
  readonly ids: Ids
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Starts a progress display; `total` is 0 if it is unknown. */
  readonly begin: (what: string, total: number) => Progress
  /** Aborts when the user stops the run. */
  readonly signal: AbortSignal
  /** The retry window while DynamoDB does not answer; half a minute when absent. */
  readonly retries?: { readonly pausesMs: readonly number[] }
}
