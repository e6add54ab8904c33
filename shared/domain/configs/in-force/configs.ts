import type { Fault } from '../../../kernel/errors.ts'
import type { ConfigName, ConfigValues } from '../declare/config-values.ts'

export type { ConfigName, ConfigValues }

export type ReloadReport = {
  /** Read again and in force: all of those, or the part of them that takes no restart. */
  readonly reloaded: readonly ConfigName[]
  /** Of `reloaded`: the files that changed what is active in this process. */
  readonly changed: readonly ConfigName[]
  /** Something that changed on disk is in force after a restart; the rest of the file, if it changed too, is in force now. */
  readonly restartNeeded: readonly ConfigName[]
  /** Broken on disk; the last good one stays in force. */
  readonly failed: readonly {
    readonly name: ConfigName
    readonly errors: readonly Fault[]
  }[]
}

/** The configs in force in this process. A file that breaks later never replaces a good one. */
export type Configs = {
  get<N extends ConfigName>(name: N): ConfigValues[N]
  /**
   * Reads these again (all when no name is given), in this process and, by an event and a version check, in all others. Where that
   * breaks or may mend a file that refers to them, that is read too.
   */
  reload(names?: readonly ConfigName[]): Promise<ReloadReport>
  /**
   * Takes in what other processes reloaded until now; one read of the Store when that is nothing. A process that runs all the time does
   * so by itself.
   */
  catchUp(): Promise<void>
  onReload(listener: (names: readonly ConfigName[]) => void): () => void
  /**
   * Which files are broken on disk, and which wait for a restart, in words fit for the public. The fault itself is in the log and in
   * what `reload` answers.
   */
  warnings(): readonly string[]
  close(): Promise<void>
}
