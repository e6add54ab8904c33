/** The right to run a world, held by one node at a time. */
export type WorldLease = {
  /** Higher than the fence of every earlier holder. Passed with each write of chunks. */
  readonly fence: number
  /**
   * Whether writing is allowed. False after the loss of the lease, and while it is in doubt because it could not be renewed in time.
   */
  isHeld(): boolean
  /** Whether another node has the lease. Stays true. */
  isLost(): boolean
  /** Gives up the lease because another node is known to have it, even if the store does not show it. */
  concede(): void
  /** Milliseconds since the last renewal. */
  sinceRenewalMs(): number
  /** Calls `listener` once, when the lease is lost. */
  onLost(listener: () => void): void
  release(): Promise<void>
}
