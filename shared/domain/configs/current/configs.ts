import type { Fault } from '../../../kernel/errors.ts'
import type { ConfigName, ConfigValues } from '../declare/config-values.ts'

export type { ConfigName, ConfigValues }

export type ReloadReport = {
  /** Files that were read again. They are active, except for parts that need a restart. */
  readonly reloaded: readonly ConfigName[]
  /** The files of `reloaded` that changed an active value in this process. */
  readonly changed: readonly ConfigName[]
  /** Files with changes that need a restart; their other changes are active now. */
  readonly restartNeeded: readonly ConfigName[]
  /** Files that are broken on disk; the last good version stays active. */
  readonly failed: readonly {
    readonly name: ConfigName
    readonly errors: readonly Fault[]
  }[]
}

/** The active configs of this process. A file that becomes broken never replaces a good one. */
export type Configs = {
  get<N extends ConfigName>(name: N): ConfigValues[N]
  /**
   * Reads these files again (all if none is named), in this process and, through an event and a version check, in all others. Also reads
   * files that refer to them if the change breaks or may fix them.
   */
  reload(names?: readonly ConfigName[]): Promise<ReloadReport>
  /**
   * Applies reloads of other processes so far; one read of the Store if there are none. A long-running process does this by itself.
   */
  catchUp(): Promise<void>
  onReload(listener: (names: readonly ConfigName[]) => void): () => void
  /**
   * The files that are broken on disk or need a restart, in words that may be public. The fault itself is in the log and in the result of
   * `reload`.
   */
  warnings(): readonly string[]
  close(): Promise<void>
}
