/** What the terminal client has of the process around it. */
export type PlayStreams = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & {
    readonly isTTY?: boolean
    readonly columns?: number
    readonly getColorDepth?: (env?: object) => number
  }
  readonly complain: (text: string) => void
  /** Aborted when the player wants to go (Ctrl-C, SIGTERM). */
  readonly interrupted: AbortSignal
}
