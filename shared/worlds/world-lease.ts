/** Who owns a world's live state. */
export type LeaseHolder = {
  /** As a person would name it: host and process. */
  readonly name: string
  readonly machineId: string
  readonly pid: number
}

/** The right to run a world, held by one node at a time. */
export type WorldLease = {
  /** Higher than that of every holder before; goes with each write of chunks. */
  readonly fence: number
  /** False once it could not be renewed in time, or somebody else has it. */
  isHeld(): boolean
  /** Called once, when it is lost. */
  onLost(listener: () => void): void
  release(): Promise<void>
}
