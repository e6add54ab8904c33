import type { Log } from '../../kernel/log.ts'

/** One step of stopping, run in the order they were given; a step that fails is logged and the next one runs. */
export type ShutdownStep = { readonly name: string; readonly run: () => Promise<void> | void }

const hardLimitMs = 15_000
/** For what comes beside the players. */
const spareMs = 5_000
const parentCheckMs = 250

/** Ctrl-C reaches a server twice, from the terminal and from the npm that started it: so close together they are one signal. */
const sameSignalMs = 500

/** As early as can be: it may end while the server starts. */
const parent = process.ppid

/** npm hands signals to a shell that dies of them without telling its child: under npm, the shell's end is the signal. */
const onParentGone = (stop: () => void): void => {
  if (process.env.npm_lifecycle_event === undefined) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, parentCheckMs)
  timer.unref()
}

/** By the signal, as if nobody listened; the first process of a container, which the system spares, as a shell tells of such an end. */
const endEarly = (signal: NodeJS.Signals): never => {
  process.kill(process.pid, signal)
  process.exit(signal === 'SIGINT' ? 130 : 143)
}

/**
 * Ends the process at SIGTERM or SIGINT, until `stopOnSignal`: there is nothing to finish yet. The first process of a container would
 * not hear of them otherwise, start all the same, and be killed with players on it.
 */
export const endOnSignalWhileStarting = (): void => {
  process.once('SIGTERM', endEarly).once('SIGINT', endEarly)
}

/**
 * Runs the steps at the first SIGTERM or SIGINT, or when the npm that started the process is gone, and ends the process with 0. Another signal half a second later, or 15 s, ends it with 1. Steps that may wait for longer have `waitsMs` and 5 s. Returns what
 * does the same for a fault, with 1 at the end.
 */
export const stopOnSignal = (steps: readonly ShutdownStep[], log: Log, waitsMs = 0): ((fault: string) => void) => {
  let stopping = false
  /** Of the signals; one that comes while a fault is why it stops is the first all the same. */
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
