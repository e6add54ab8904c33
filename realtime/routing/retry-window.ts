import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../shared/kernel/clock.ts'

/** A node that starts, or whose registry was lost, is listed again within a second; a client would take a refusal for an outage. */
export const retryWindowMs = 2000
const everyMs = 250

/** Those who wait at the same time; more are refused at once, so that nobody fills the process with upgrades to nowhere. */
const waitersMax = 100

export type RetryWindowDeps = {
  readonly clock: Pick<Clock, 'monotonic'>
  /** How long after it began an attempt is made again; 0: once only. */
  readonly retryWindowMs: number
  /** Whether `error` says that the thing may be there in a moment. */
  readonly mayPass: (error: unknown) => boolean
}

/** Attempts made again for a short while. */
export type RetryWindow = {
  /** Resolves with the first attempt that does; rejects with what the last one threw. Gives up when `client` is gone. */
  keepTrying(client: { readonly destroyed: boolean }, attempt: () => Promise<void>): Promise<void>
  /** Nothing is attempted again from now on. */
  end(): void
}

export const createRetryWindow = (deps: RetryWindowDeps): RetryWindow => {
  let waiters = 0
  let isEnded = false
  const wait = async (): Promise<void> => {
    waiters += 1
    try {
      await pause(everyMs, undefined, { ref: false })
    } finally {
      waiters -= 1
    }
  }
  return {
    keepTrying: async (client, attempt) => {
      const untilMs = deps.clock.monotonic() + deps.retryWindowMs
      for (;;)
        try {
          return await attempt()
        } catch (error) {
          const isHopeless = isEnded || client.destroyed || waiters >= waitersMax || !deps.mayPass(error)
          if (isHopeless || deps.clock.monotonic() + everyMs > untilMs) throw error
          await wait()
        }
    },
    end: () => {
      isEnded = true
    },
  }
}
