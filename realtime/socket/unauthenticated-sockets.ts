import { AppError } from '../../shared/kernel/errors.ts'
import { addressBlockOf } from '../../shared/platform/limits/address-block.ts'

/** The error for an address that has too many waiting connections. */
export const tooManyWait = new AppError(
  'limited',
  'too-many-requests',
  'Too many connections from this address wait to sign in. Try again in a moment.',
  { retryAfterSeconds: 2 },
)

/** Counts connections that are not admitted yet, by address. IPv6 addresses count by /64. */
export type UnauthenticatedSockets = {
  /** Reserves a slot for a client at `address`. Undefined if the address has too many. */
  enter(address: string): SocketSlot | undefined
}

/**
 * One address may have this many times the limit in token checks. A check takes milliseconds, and many clients of one address
 * arrive together after a hand-over. Without a limit, one address could take all sockets while the stores are slow.
 */
const askingTimes = 10

type State = 'waiting' | 'asking' | 'gone'
type Counts = Record<State, number> & { readonly block: string }

/** A slot of an address. A class, because each connection keeps one. */
export class SocketSlot {
  private state: State = 'waiting'
  private isClosed = false
  private readonly counts: Counts
  private readonly forget: (counts: Counts) => void

  /** Takes the slot. `forget` is called when the address has no slots left. */
  constructor(counts: Counts, forget: (counts: Counts) => void) {
    this.counts = counts
    this.forget = forget
    counts.waiting += 1
  }

  /** The client sent Connect. The slot now counts as a token check. */
  ask(): void {
    this.become('asking')
  }

  /** The client was admitted. */
  leave(): void {
    this.become('gone')
  }

  /** Connect was refused. The slot is taken until the socket closes. */
  comeBack(): void {
    this.become('waiting')
  }

  /** The socket has closed. */
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

/** `limit` is read for each new connection. */
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
