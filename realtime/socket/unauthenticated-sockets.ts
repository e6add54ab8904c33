import { AppError } from '../../shared/kernel/errors.ts'
import { addressBlockOf } from '../../shared/platform/limits/address-block.ts'

/** What one is told for whom there is none. */
export const tooManyWait = new AppError(
  'limited',
  'too-many-requests',
  'Too many connections of this address were not let in yet; try again in a moment.',
  { retryAfterSeconds: 2 },
)

/** Counts connections that were not let in yet, by address; of IPv6 by its /64. */
export type UnauthenticatedSockets = {
  /** A place for a client at `address`; undefined where it has as many as it may. */
  enter(address: string): SocketSlot | undefined
}

/**
 * Of one address so many times the limit may have sent Connect and wait to be let in. That takes milliseconds, and a crowd of one address comes at once after a hand-over; but while
 * the stores are silent, one address would take every socket there is.
 */
const askingTimes = 10

type State = 'waiting' | 'asking' | 'gone'
type Counts = Record<State, number> & { readonly block: string }

/** A place at the door, of one address. A class, since each connection keeps its own for as long as it is there. */
export class SocketSlot {
  private state: State = 'waiting'
  private isClosed = false
  private readonly counts: Counts
  private readonly forget: (counts: Counts) => void

  /** Takes the place; `forget` is called when nobody of the address has one any more. */
  constructor(counts: Counts, forget: (counts: Counts) => void) {
    this.counts = counts
    this.forget = forget
    counts.waiting += 1
  }

  /** Who had it sent Connect: it is free, and they count among those who wait to be let in. */
  ask(): void {
    this.become('asking')
  }

  /** They were let in. */
  leave(): void {
    this.become('gone')
  }

  /** Connect was refused: it is taken for as long as the socket is there. */
  comeBack(): void {
    this.become('waiting')
  }

  /** The socket is gone. */
  end(): void {
    this.become('gone')
    if (!this.isClosed) this.counts.gone -= 1
    this.isClosed = true
    const { waiting, asking, gone } = this.counts
    if (waiting + asking + gone === 0) this.forget(this.counts)
  }

  private become(next: State): void {
    if (this.isClosed) return
    this.counts[this.state] -= 1
    this.counts[next] += 1
    this.state = next
  }
}

/** `limit` is asked at each arrival. */
export const createUnauthenticatedSockets = (limit: () => number): UnauthenticatedSockets => {
  const byBlock = new Map<string, Counts>()
  const isFull = (counts: Counts): boolean => counts.waiting >= limit() || counts.waiting + counts.asking >= limit() * askingTimes
  const forget = (counts: Counts): void => {
    if (byBlock.get(counts.block) === counts) byBlock.delete(counts.block)
  }
  return {
    enter: (address) => {
      const block = addressBlockOf(address)
      const counts = byBlock.get(block) ?? { block, waiting: 0, asking: 0, gone: 0 }
      if (isFull(counts)) return undefined
      byBlock.set(block, counts)
      return new SocketSlot(counts, forget)
    },
  }
}
