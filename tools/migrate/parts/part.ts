import type { WorldLease } from '../../../shared/domain/worlds/leases/world-lease.ts'
import type { SourcePlace, TargetPlace } from '../places/place.ts'
import type { Digest } from './digest.ts'

/** A copy that is made, from where an earlier one was cut off. */
export type Copying = {
  readonly source: SourcePlace
  readonly target: TargetPlace
  /** What `onKept` was last told in the run before; undefined from the beginning. */
  readonly after: string | undefined
  /** Whether the target may hold some of it already. */
  readonly isResumed: boolean
  /** Told when everything up to `after` is durable in the target, `count` more than the last time. */
  readonly onKept: (count: number, after?: string) => Promise<void>
  readonly leaseOf: (worldName: string) => WorldLease
  readonly complain: (text: string) => void
  /** Aborted when somebody wants it to stop, or a lease is lost. */
  readonly signal: AbortSignal
}

/** What is looked at to count or to check. */
export type Looking = {
  readonly onSeen: (count: number) => void
  readonly signal: AbortSignal
}

/** One kind of what is moved, and all that there is to it. */
export type Part = {
  /** As the report and the checkpoint call it. */
  readonly name: string
  count(place: SourcePlace): Promise<number>
  /** Makes the target hold just what the source does; a copy that is made again writes only what differs. */
  copy(copying: Copying): Promise<void>
  /** Reads all of it, in an order that every place has. */
  digest(place: SourcePlace, looking: Looking): Promise<Digest>
}
