/** All that a run touches besides the server. */
export type ConformanceEdges = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** A password or token from standard input; `what` it is, for who is asked at a terminal. */
  readonly readSecret: (what: 'Password' | 'Token') => Promise<string>
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Ends the checks; what was made is taken away all the same. */
  readonly interrupted: AbortSignal
  /** Milliseconds that never go back. */
  readonly now: () => number
  readonly newId: () => string
  readonly newSecret: () => string
}
