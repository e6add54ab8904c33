import { addressBlockOf } from '../../shared/auth/address-block.ts'
import { AppError } from '../../shared/kernel/errors.ts'

/** What one is told for whom there is none. */
export const tooManyWait = new AppError(
  'limited',
  'too-many-requests',
  'Too many connections of this address were not let in yet; try again in a moment.',
  { retryAfterSeconds: 2 },
)

/** A place at the door, of one address. */
export type WaitingPlace = {
  /** Who had it sent Connect: it is free, and they count among those who wait to be let in. */
  ask(): void
  /** They were let in. */
  leave(): void
  /** Connect was refused: it is taken for as long as the socket is there. */
  comeBack(): void
  /** The socket is gone. */
  end(): void
}

/** Counts connections that were not let in yet, by address; of IPv6 by its /64. */
export type WaitingRoom = {
  /** A place for a client at `address`; undefined where it has as many as it may. */
  enter(address: string): WaitingPlace | undefined
}

/**
 * Of one address so many times the limit may have sent Connect and wait to be let in. That takes milliseconds, and a crowd of one address comes at once after a hand-over; but while
 * the stores are silent, one address would take every socket there is.
 */
const askingTimes = 10

type State = 'waiting' | 'asking' | 'gone'
type Counts = Record<State, number>

/** `limit` is asked at each arrival. */
export const createWaitingRoom = (limit: () => number): WaitingRoom => {
  const byBlock = new Map<string, Counts>()
  const isFull = (counts: Counts): boolean => counts.waiting >= limit() || counts.waiting + counts.asking >= limit() * askingTimes
  return {
    enter: (address) => {
      const block = addressBlockOf(address)
      const counts = byBlock.get(block) ?? { waiting: 0, asking: 0, gone: 0 }
      if (isFull(counts)) return undefined
      byBlock.set(block, counts)
      let state: State = 'waiting'
      let isClosed = false
      counts.waiting += 1
      const become = (next: State): void => {
        if (isClosed) return
        counts[state] -= 1
        counts[next] += 1
        state = next
      }
      return {
        ask: () => become('asking'),
        leave: () => become('gone'),
        comeBack: () => become('waiting'),
        end: () => {
          become('gone')
          if (!isClosed) counts.gone -= 1
          isClosed = true
          if (counts.waiting + counts.asking + counts.gone === 0 && byBlock.get(block) === counts) byBlock.delete(block)
        },
      }
    },
  }
}
