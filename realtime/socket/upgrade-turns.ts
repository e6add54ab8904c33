import type { Duplex } from 'node:stream'
import { addressBlockOf } from '../../shared/auth/address-block.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { createFairQueue } from '../../shared/limits/fair-queue.ts'

/** What upgrades read of the stores: a few reads at a time, by the turns of their addresses, for those alone who still wait. */
export type UpgradeTurns = {
  /**
   * What `read` resolves to. `address` is the client's; an IPv6 address counts by its /64. Throws AppError `unavailable` where too
   * much of that address waits, or where the client has left.
   */
  take<T>(client: { readonly stream: Duplex; readonly address: string }, read: () => Promise<T>): Promise<T>
}

/** More would be asked of a slow store than it can answer to those who sign in at the same time. */
const readsAtOnce = 8
const waitingPerAddress = 100

const left = new AppError('unavailable', 'service-unavailable', 'Nobody waits for this any more.')

/**
 * Aborts once the client of `stream` has left. Sockets of an HTTP server stay half open, so that an end is told to nobody but who
 * reads; what the client sends too early stays unread. `stop` before anybody else reads.
 */
const watchLeaving = (stream: Duplex): { readonly signal: AbortSignal; readonly stop: () => void } => {
  const leaving = new AbortController()
  const leave = (): void => leaving.abort(left)
  const look = (): void => {
    stream.read(0)
  }
  stream.on('readable', look).once('end', leave).once('close', leave)
  if (stream.destroyed || stream.readableEnded) leave()
  return {
    signal: leaving.signal,
    stop: () => {
      stream.off('readable', look).off('end', leave).off('close', leave)
    },
  }
}

export const createUpgradeTurns = (): UpgradeTurns => {
  const queue = createFairQueue({ slots: readsAtOnce, waitingMax: waitingPerAddress })
  return {
    take: async ({ stream, address }, read) => {
      const { signal, stop } = watchLeaving(stream)
      try {
        return await queue.run(addressBlockOf(address), read, signal)
      } finally {
        stop()
      }
    },
  }
}
