import type { Log } from '../../kernel/log.ts'

/** A step of stopping. Steps run in order; one that fails is logged, and the next one runs. */
export type ShutdownStep = { readonly name: string; readonly run: () => Promise<void> | void }

const hardLimitMs = 15_000
/** The time for steps other than the hand-over of players. */
const spareMs = 5_000
const parentCheckMs = 250

/** Ctrl-C reaches a server twice: from the terminal, and from the npm that started it. Within this time they count as one signal. */
const sameSignalMs = 500

/** Read as early as possible, because the parent may end while the server starts. */
const parent = process.ppid

/** npm sends signals to a shell, which dies without passing them on. So under npm the end of the shell counts as the signal. */
export const onParentGone = (stop: () => void): void => {
  if (process.env.npm_lifecycle_event === undefined) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, parentCheckMs)
  timer.unref()
}

/**
 * Dies of the signal, as without a handler. The first process of a container ignores that, so it exits with the usual code for the
 * signal.
 */
const endEarly = (signal: NodeJS.Signals): never => {
  process.kill(process.pid, signal)
  process.exit(signal === 'SIGINT' ? 130 : 143)
}

/**
 * Ends the process at SIGTERM or SIGINT, until `stopOnSignal` is called: there is nothing to finish yet. Without this, the first
 * process of a container would ignore these signals, start anyway, and later be killed with players on it.
 */
export const endOnSignalWhileStarting = (): void => {
  process.once('SIGTERM', endEarly).once('SIGINT', endEarly)
}

/**
 * Runs the steps at the first SIGTERM or SIGINT, or when the npm that started the process ends, then exits with 0. A second signal at
 * least half a second later, or a timeout of 15 s, exits with 1. If steps may wait longer, the timeout is `waitsMs` plus 5 s. Returns a
 * function that does the same for a fault, and exits with 1.
 */
export const stopOnSignal = (steps: readonly ShutdownStep[], log: Log, waitsMs = 0): ((fault: string) => void) => {
  let stopping = false
  /** The time of the first signal. A first signal during a stop after a fault does not count as the second. */
  let firstMs: number | undefined
  const stop = async (why: Record<string, string>, exitCode: number) => {
    log.info(why, 'stopping')
    setTimeout(
      () => {
        log.error({}, 'stopping took too long')
        process.exit(1)
      },
      Math.max(hardLimitMs, waitsMs + spareMs),
    ).unref()
    for (const { name, run } of steps) {
      try {
        await run()
      } catch (cause) {
        log.error({ step: name, err: cause }, 'a step of stopping failed')
      }
    }
    log.info({}, 'stopped')
    process.exit(exitCode)
  }
  const begin = (why: Record<string, string>, exitCode: number) => {
    if (stopping) return
    stopping = true
    void stop(why, exitCode)
  }
  const onSignal = (signal: string) => {
    if (firstMs === undefined) {
      firstMs = performance.now()
      begin({ signal }, 0)
    } else if (performance.now() - firstMs > sameSignalMs) process.exit(1)
  }
  process.off('SIGTERM', endEarly).off('SIGINT', endEarly)
  process.on('SIGTERM', () => onSignal('SIGTERM'))
  process.on('SIGINT', () => onSignal('SIGINT'))
  onParentGone(() => {
    if (!stopping) onSignal('SIGTERM')
  })
  return (fault) => begin({ fault }, 1)
}
