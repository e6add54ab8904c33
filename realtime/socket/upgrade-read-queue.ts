import type { Duplex } from 'node:stream'
import { AppError } from '../../shared/kernel/errors.ts'
import { addressBlockOf } from '../../shared/platform/limits/address-block.ts'
import { createFairQueue } from '../../shared/platform/limits/fair-queue.ts'

/** Reads from the stores for upgrades: a few at a time, in turn by address, and only for clients that still wait. */
export type UpgradeReadQueue = {
  /**
   * Resolves to the result of `read`. `address` is the client's; an IPv6 address counts by its /64.
   * Throws AppError:
   * - `unavailable` if the address has too many waiting reads, if no slot is free within five seconds, or if the client has left
   *   (`hasLeft`)
   * - `invalid` if the client sends data before the answer
   */
  take<T>(client: { readonly stream: Duplex; readonly address: string }, read: () => Promise<T>): Promise<T>
}

/** More reads would take capacity of a slow store away from sign-ins. */
const readsAtOnce = 8
const waitingPerAddress = 100
/** Clients retry after an error, but not after a hang. */
const turnWithinMs = 5000

const left = new AppError('unavailable', 'service-unavailable', 'The client has left.')
const tooLate = new AppError('unavailable', 'service-unavailable', 'Too many clients open feeds. Try again in a moment.', {
  retryAfterSeconds: 2,
})
const tooEarly = new AppError('invalid', 'bad-request', 'Send nothing before the upgrade is answered.')

/** Whether `take` threw because the client has left. */
export const hasLeft = (error: unknown): boolean => error === left

/**
 * Aborts when the client of `stream` leaves or sends data. Sockets of an HTTP server stay half open, so only a read notices the
 * end. Call `stop` before other code reads.
 */
const watchWaiting = (stream: Duplex): { readonly signal: AbortSignal; readonly stop: () => void } => {
  const waiting = new AbortController()
  const leave = (): void => waiting.abort(left)
  const look = (): void => {
    // An end after unread bytes would not be noticed.
    if (stream.readableLength > 0) waiting.abort(tooEarly)
    else stream.read(0)
  }
  const timer = setTimeout(() => waiting.abort(tooLate), turnWithinMs)
  stream.on('readable', look).once('end', leave).once('close', leave)
  if (stream.destroyed || stream.readableEnded) leave()
  return {
    signal: waiting.signal,
    stop: () => {
      clearTimeout(timer)
      stream.off('readable', look).off('end', leave).off('close', leave)
    },
  }
}

export const createUpgradeReadQueue = (): UpgradeReadQueue => {
  const queue = createFairQueue({ slots: readsAtOnce, waitingMax: waitingPerAddress })
  return {
    take: async ({ stream, address }, read) => {
      const { signal, stop } = watchWaiting(stream)
      try {
        return await queue.run(addressBlockOf(address), read, signal)
      } finally {
        stop()
      }
    },
  }
}
