/** One dependency's state by name; `detail` says what is wrong, in words fit for the public. */
export type DependencyState = {
  readonly name: string
  /** What does not work without it. */
  readonly neededFor: string
  readonly ok: boolean
  readonly detail?: string
}

export type ReadinessReport = {
  readonly ready: boolean
  readonly dependencies: readonly DependencyState[]
  /** Faults that take nothing down: a config broken on disk, groups that do not exist. */
  readonly warnings: readonly string[]
}

/** Whether this process may be sent traffic. */
export type Readiness = {
  check(): Promise<ReadinessReport>
  /** From now on not ready: the process is about to stop. */
  beginShutdown(): void
}
