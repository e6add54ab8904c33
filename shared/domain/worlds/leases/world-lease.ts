/** The right to run a world, held by one node at a time. */
export type WorldLease = {
  /** Higher than that of every holder before; goes with each write of chunks. */
  readonly fence: number
  /** Whether to write. False while it is in doubt, as it could not be renewed in time, and once somebody else has it. */
  isHeld(): boolean
  /** Whether somebody else has it: for ever. */
  isLost(): boolean
  /** Somebody else is known to have it, though the store could not say so: it is lost. */
  concede(): void
  /** Milliseconds since it was last renewed. */
  sinceRenewalMs(): number
  /** Called once, when it is lost. */
  onLost(listener: () => void): void
  release(): Promise<void>
}
