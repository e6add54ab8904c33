/** The effects of a run besides requests to the server. */
export type ConformanceEdges = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads a password or token from standard input, with a prompt at a terminal. */
  readonly readSecret: (what: 'Password' | 'Token') => Promise<string>
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Ends the checks. The clean-up still runs. */
  readonly interrupted: AbortSignal
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly newId: () => string
  readonly newSecret: () => string
}
