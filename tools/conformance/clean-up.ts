/** Clean-up tasks that run at the end in reverse order, however the run ends. */
export type CleanUp = {
  /**
   * Call this before you create the thing. `takeAway` may run although the thing was never created; it throws if the thing
   * stays.
   */
  later(what: string, takeAway: () => Promise<void>): void
  /** Notes something that always stays. */
  stays(what: string): void
  /** Resolves to the names of things that stay. */
  run(): Promise<readonly string[]>
}

export const createCleanUp = (): CleanUp => {
  const noted: { what: string; takeAway: () => Promise<void> }[] = []
  const left: string[] = []
  return {
    later: (what, takeAway) => void noted.push({ what, takeAway }),
    stays: (what) => void left.push(what),
    run: async () => {
      for (const { what, takeAway } of noted.splice(0).toReversed())
        await takeAway().catch((error: unknown) => {
          left.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
        })
      return [...left]
    },
  }
}
