import type { Version } from '../../../platform/storage/store.ts'
import type { Sanction, SanctionChanges } from '../sanction.ts'

/** Up to which change a process knows of sanctions; version `null` before the first. */
export type SeenChanges = SanctionChanges & { readonly version: Version | null }

/** The sanctions in force, in memory: asking costs a look or two, however many there are, and ends count to the millisecond. */
export type SanctionsInForce = {
  /** The ban of an account, of several the one that ends last. */
  findBan(email: string): Sanction | undefined
  /** The ban that covers an address, likewise. */
  findAddressBan(address: string): Sanction | undefined
  findMute(email: string): Sanction | undefined
  /** Those that the player has not seen, oldest first. */
  listWarnings(email: string): readonly Sanction[]
  /** Newest first. */
  list(): readonly Sanction[]
  /** Some whose time is over for a while, and that are still kept as in force. */
  listOver(max: number): readonly Sanction[]
  /** Takes in what was changed in other processes until now, as happens by itself once it is started; one read of the Store when that is nothing. */
  catchUp(): Promise<SeenChanges>
  /** Is called after each change, whichever process made it. */
  onChange(listener: () => void): () => void
}
