import type { Clock } from '../../../kernel/clock.ts'
import { startTimeLimit } from '../../../kernel/time-limit.ts'
import type { RedisClient } from './redis-client.ts'

export type ReadyWaitOptions = {
  /** The maximum wait for a connection, in milliseconds. */
  readonly waitMs: number
  readonly clock: Pick<Clock, 'monotonic'>
}

/** A connection that was unused for this long may be lost without a notice, because the process was frozen. */
const doubtfulAfterMs = 5000

/**
 * Waits for a working connection before a command is sent, for at most `waitMs`. Never throws. For a Lambda, which is frozen between
 * events with its timers and sockets, so that its view of the connection may be out of date.
 */
export const createWaitUntilReady = (client: RedisClient, { waitMs, clock }: ReadyWaitOptions): (() => Promise<void>) => {
  const waiting = new Set<() => void>()
  client.on('ready', () => {
    for (const goOn of [...waiting]) goOn()
  })
  const becomeReady = (withinMs: number): Promise<void> =>
    new Promise((resolve) => {
      const goOn = () => {
        endLimit()
        waiting.delete(goOn)
        resolve()
      }
      // While a function loads its modules, arrived data is not read.
      const endLimit = startTimeLimit(withinMs, goOn)
      waiting.add(goOn)
    })

  let usedAtMs = clock.monotonic()
  return async () => {
    const startedMs = clock.monotonic()
    const isDoubtful = startedMs - usedAtMs > doubtfulAfterMs
    usedAtMs = startedMs
    if (isDoubtful && client.status === 'ready') await client.ping().catch(() => undefined)
    const leftMs = startedMs + waitMs - clock.monotonic()
    if (client.status !== 'ready' && leftMs > 0) await becomeReady(leftMs)
  }
}
