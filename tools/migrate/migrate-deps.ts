import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Progress } from '../world/progress.ts'

/** How a run ends: 0 both places are the same, 1 bad usage, 2 refused or failed, 3 the places differ, 130 stopped by Ctrl-C. */
export type MigrateExit = 0 | 1 | 2 | 3 | 130

/** What a migration works with, and tells. */
export type MigrateDeps = {
  readonly clock: Clock
  readonly ids: Ids
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Begins to show how far a long work is; `total` 0 when nobody knows it. */
  readonly begin: (what: string, total: number) => Progress
  /** Aborted when somebody wants it to stop. */
  readonly signal: AbortSignal
  /** How long to try on while DynamoDB does not answer; half a minute when absent. */
  readonly retries?: { readonly pausesMs: readonly number[] }
}
