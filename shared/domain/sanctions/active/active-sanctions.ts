import type { Version } from '../../../platform/storage/store.ts'
import type { Sanction, SanctionChanges } from '../sanction.ts'

/** The last change of sanctions that this process has read; version `null` before the first. */
export type SeenChanges = SanctionChanges & { readonly version: Version | null }

/** The active sanctions in memory. A query costs one or two look-ups, and ends count to the millisecond. */
export type ActiveSanctions = {
  /** The ban of an account. If there are several, the one that ends last. */
  findBan(email: string): Sanction | undefined
  /** The ban that covers an address, chosen likewise. */
  findAddressBan(address: string): Sanction | undefined
  findMute(email: string): Sanction | undefined
  /** Warnings that the player has not seen, oldest first. */
  listWarnings(email: string): readonly Sanction[]
  /** Newest first. */
  list(): readonly Sanction[]
  /** Expired sanctions that are still listed as active, at most `max`. */
  listOver(max: number): readonly Sanction[]
  /** Reads the changes of other processes. Costs one read of the Store if there are none. Happens automatically after the start. */
  catchUp(): Promise<SeenChanges>
  /** Calls `listener` after each change in any process. */
  onChange(listener: () => void): () => void
}
