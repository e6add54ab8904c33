import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../shared/kernel/clock.ts'

/**
 * A node that starts, or whose registry entry was lost, is listed again within a second. A client would take a refusal for an
 * outage.
 */
export const retryWindowMs = 2000
const everyMs = 250

/**
 * The maximum number of concurrent waiters. More are refused at once, so that upgrades to missing nodes cannot fill the process.
 */
const waitersMax = 100

export type RetryWindowDeps = {
  readonly clock: Pick<Clock, 'monotonic'>
  /** How long to retry after the start. 0: one attempt only. */
  readonly retryWindowMs: number
  /** Whether `error` may be temporary. */
  readonly mayPass: (error: unknown) => boolean
}

/** Retries for a short time. */
export type RetryWindow = {
  /** Resolves with the first successful attempt, or rejects with the last error. Stops when `client` is destroyed. */
  keepTrying(client: { readonly destroyed: boolean }, attempt: () => Promise<void>): Promise<void>
  /** Stops all retries. */
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
