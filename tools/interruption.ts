/** Ctrl-C reaches a process twice, from the terminal and from the npm that started it. Within this time they count as one. */
const sameSignalMs = 500
const parentCheckMs = 250
/** The exit code of a shell for a program that Ctrl-C ended. */
const stopped = 130

/** The sources of an interruption, and the exit of the process at the second one. */
export type InterruptionEdges = {
  readonly process: Pick<NodeJS.Process, 'on' | 'ppid' | 'stdout' | 'exit' | 'env'>
  readonly now: () => number
}

/**
 * Aborts at the first signal, when the npm that started the process is gone, or when standard output is closed. A second
 * signal, half a second later or more, ends the process with 130.
 */
export const listenForInterruption = ({ process, now }: InterruptionEdges): AbortSignal => {
  const interruption = new AbortController()
  let firstMs = 0
  const interrupt = (): void => {
    if (interruption.signal.aborted) return
    firstMs = now()
    interruption.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (interruption.signal.aborted && now() - firstMs > sameSignalMs) process.exit(stopped)
      interrupt()
    })
  process.stdout.on('error', interrupt)
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) interrupt()
    }, parentCheckMs).unref()
  }
  return interruption.signal
}
