import { addressBlockOf } from '../../shared/auth/address-block.ts'
import { AppError } from '../../shared/kernel/errors.ts'

/** What one is told for whom there is none. */
export const tooManyWait = new AppError(
  'limited',
  'too-many-requests',
  'Too many connections of this address have not sent Connect; try again in a moment.',
  { retryAfterSeconds: 2 },
)

/** A place at the door, of one address. */
export type WaitingPlace = {
  /** Who had it sent Connect: it is free. */
  leave(): void
  /** Connect was refused: it is taken for as long as the socket is there. */
  comeBack(): void
  /** The socket is gone. */
  end(): void
}

/** Counts connections that have not connected, by address; of IPv6 by its /64. */
export type WaitingRoom = {
  /** A place for a client at `address`; undefined where it has as many as it may. */
  enter(address: string): WaitingPlace | undefined
}

/** `limit` is asked at each arrival. */
export const createWaitingRoom = (limit: () => number): WaitingRoom => {
  const taken = new Map<string, number>()
  const add = (block: string, change: number): void => {
    const count = (taken.get(block) ?? 0) + change
    if (count > 0) taken.set(block, count)
    else taken.delete(block)
  }
  return {
    enter: (address) => {
      const block = addressBlockOf(address)
      if ((taken.get(block) ?? 0) >= limit()) return undefined
      let isHere = true
      let isGone = false
      add(block, 1)
      const leave = (): void => {
        if (isHere) add(block, -1)
        isHere = false
      }
      return {
        leave,
        comeBack: () => {
          if (isHere || isGone) return
          isHere = true
          add(block, 1)
        },
        end: () => {
          leave()
          isGone = true
        },
      }
    },
  }
}
