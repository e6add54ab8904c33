import type { Duplex } from 'node:stream'
import { AppError } from '../../shared/kernel/errors.ts'
import { addressBlockOf } from '../../shared/platform/limits/address-block.ts'
import { createFairQueue } from '../../shared/platform/limits/fair-queue.ts'

/** What upgrades read of the stores: a few reads at a time, by the turns of their addresses, for those alone who still wait. */
export type UpgradeReadQueue = {
  /**
   * What `read` resolves to. `address` is the client's; an IPv6 address counts by its /64. Throws AppError: `unavailable` where too much
   * of that address waits, where its turn does not come within five seconds, and where the client has left (`hasLeft`); `invalid` where
   * the client does not wait for an answer.
   */
  take<T>(client: { readonly stream: Duplex; readonly address: string }, read: () => Promise<T>): Promise<T>
}

/** More would be asked of a slow store than it can answer to those who sign in at the same time. */
const readsAtOnce = 8
const waitingPerAddress = 100
/** Clients try again; one that hangs does not. */
const turnWithinMs = 5000

const left = new AppError('unavailable', 'service-unavailable', 'Nobody waits for this any more.')
const tooLate = new AppError(
  'unavailable',
  'service-unavailable',
  'Too many ask for feeds at this moment; try again in a moment.',
  {
    retryAfterSeconds: 2,
  },
)
const tooEarly = new AppError('invalid', 'bad-request', 'Send nothing before the upgrade is answered.')

/** Whether `take` threw since nobody is there to be answered. */
export const hasLeft = (error: unknown): boolean => error === left

/**
 * Aborts once the client of `stream` has left, or does not wait. Sockets of an HTTP server stay half open, so that an end is told to
 * nobody but who reads. `stop` before anybody else reads.
 */
const watchWaiting = (stream: Duplex): { readonly signal: AbortSignal; readonly stop: () => void } => {
  const waiting = new AbortController()
  const leave = (): void => waiting.abort(left)
  const look = (): void => {
    // An end behind bytes would not be told.
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
