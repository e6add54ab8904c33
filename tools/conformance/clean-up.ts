/** What is taken away again in the end, the last first, however the run ends. */
export type CleanUp = {
  /** `takeAway` may be called for what was never made; it throws where something stays. Note it before it is made. */
  later(what: string, takeAway: () => Promise<void>): void
  /** Something that stays in any case. */
  stays(what: string): void
  /** Resolves with what is left behind. */
  run(): Promise<readonly string[]>
}

/** Nothing to take away yet. */
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
