import type { WorldLease } from '../../../shared/domain/worlds/leases/world-lease.ts'
import type { SourcePlace, TargetPlace } from '../places/place.ts'
import type { Digest } from './digest.ts'

/** A copy in progress, possibly continued after a stop. */
export type Copying = {
  readonly source: SourcePlace
  readonly target: TargetPlace
  /** The last `after` of the previous run; undefined for a copy from the start. */
  readonly after: string | undefined
  /** Whether the target may already have a part of the data. */
  readonly isResumed: boolean
  /** Called when everything up to `after` is durable in the target, with `count` more items than last time. */
  readonly onKept: (count: number, after?: string) => Promise<void>
  readonly leaseOf: (worldName: string) => WorldLease
  readonly complain: (text: string) => void
  /** Aborts when the user stops the run, or a lease is lost. */
  readonly signal: AbortSignal
}

/** Dependencies of a count or comparison. */
export type Looking = {
  readonly onSeen: (count: number) => void
  readonly signal: AbortSignal
}

/** One kind of data, with all operations of its move. */
export type Part = {
  /** The name in the report and the checkpoint. */
  readonly name: string
  count(place: SourcePlace): Promise<number>
  /** Makes the data in the target equal to the source. A repeated copy writes only the differences. */
  copy(copying: Copying): Promise<void>
  /** Reads all data, in the same order for every place. */
  digest(place: SourcePlace, looking: Looking): Promise<Digest>
}
