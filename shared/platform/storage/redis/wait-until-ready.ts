import type { Clock } from '../../../kernel/clock.ts'
import type { RedisClient } from './redis-client.ts'

export type ReadyWaitOptions = {
  /** How long to wait for a connection at the most, in milliseconds. */
  readonly waitMs: number
  readonly clock: Pick<Clock, 'monotonic'>
}

/** A connection that was not used for so long may be gone without anybody here having run to notice. */
const doubtfulAfterMs = 5000

/**
 * A wait is counted in steps, each of one turn of the event loop at the least: while a function loads its modules, nothing of what has
 * arrived is read, and a single timer would win against it.
 */
const stepMs = 50

/**
 * Makes sure of a connection before a command is sent, within `waitMs`, and never throws. It is for a Lambda: from one event to the next
 * it stands still with its timers and sockets. What it knows of its connection is then old.
 */
export const createWaitUntilReady = (client: RedisClient, { waitMs, clock }: ReadyWaitOptions): (() => Promise<void>) => {
  const waiting = new Set<() => void>()
  client.on('ready', () => {
    for (const goOn of [...waiting]) goOn()
  })
  const becomeReady = (withinMs: number): Promise<void> =>
    new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer)
        waiting.delete(goOn)
        resolve()
      }
      const wait = (leftMs: number): NodeJS.Timeout =>
        setTimeout(
          () => {
            if (leftMs <= stepMs) goOn()
            else timer = wait(leftMs - stepMs)
          },
          Math.min(leftMs, stepMs),
        )
      let timer = wait(withinMs)
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
