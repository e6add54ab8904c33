import type { Clock } from '../../shared/kernel/clock.ts'

/** More messages in a millisecond, on average between two ticks, and there are rests: those of a hundred players who walk. */
const busyPerMs = 2

/** From the first message of a round to the next look at the sockets, in milliseconds. */
const roundMs = 2

/** Lets messages come together while many players send them. */
export type ReadRests = {
  /** A message arrived. */
  noteMessage(): void
  /** A tick begins; the one after it is due at `dueMs`, on the clock that never goes back. */
  beginTick(dueMs: number): void
}

export type ReadRestsDeps = {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Holds the thread up. */
  readonly sleep: (milliseconds: number) => void
}

const never = new Int32Array(new SharedArrayBuffer(4))

/** Nothing wakes the thread before that time is over. */
export const sleepInPlace = (milliseconds: number): void => {
  Atomics.wait(never, 0, 0, milliseconds)
}

/**
 * A busy node that looks at its sockets whenever a message arrives goes to sleep and is woken twenty thousand times a second. It looks
 * at most every two milliseconds instead: moves are taken in ticks anyway. A node whose rounds take longer never rests, and just
 * before a tick none does, so that what arrived is in it.
 */
export const createReadRests = ({ clock, sleep }: ReadRestsDeps): ReadRests => {
  let messages = 0
  let isBusy = false
  let isRound = false
  let roundStartMs = 0
  let tickMs = clock.monotonic()
  let nextTickMs = 0

  const rest = (): void => {
    isRound = false
    const nowMs = clock.monotonic()
    const leftMs = roundStartMs + roundMs - nowMs
    if (leftMs > 0 && nowMs + 2 * roundMs < nextTickMs) sleep(leftMs)
  }

  return {
    noteMessage: () => {
      messages += 1
      if (isRound || !isBusy) return
      isRound = true
      roundStartMs = clock.monotonic()
      // Once all sockets that had something were read.
      setImmediate(rest)
    },
    beginTick: (dueMs) => {
      const nowMs = clock.monotonic()
      isBusy = messages > busyPerMs * (nowMs - tickMs)
      tickMs = nowMs
      messages = 0
      nextTickMs = dueMs
    },
  }
}
