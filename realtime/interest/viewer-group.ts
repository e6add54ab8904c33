/** A frame for all viewers of a group, built at most once a tick. */
type SharedFrame = {
  /** The last tick for which it was built. */
  tick: number
  /** Undefined if there are no changes. */
  frame: Uint8Array | undefined
  /** The number of moves in it. */
  entries: number
}

/** The shared state of viewers in one cell with the same radius and kind of frame. */
export type ViewerGroup = {
  /** The last tick in which the group was used. */
  tick: number
  /** With the moves of this tick, and with those of the last two ticks. */
  readonly frames: readonly [SharedFrame, SharedFrame]
  /** Whether the frames of this tick have `appeared` or `gone` entries. */
  hasChanges: boolean
  /** A frame without moves for viewers that read too slowly. Built on demand. */
  changesTick: number
  changesFrame: Uint8Array | undefined
  /**
   * How the moves of this tick are sent: all, distant cells less often, or all moves of the last ticks because a crowd has left.
   */
  moves: 'all' | 'crowded' | 'flush'
  /** The same for the next tick. */
  nextMoves: 'all' | 'crowded' | 'flush'
}

const createSharedFrame = (): SharedFrame => ({ tick: -1, frame: undefined, entries: 0 })

export const createViewerGroup = (): ViewerGroup => ({
  tick: -1,
  frames: [createSharedFrame(), createSharedFrame()],
  hasChanges: false,
  changesTick: -1,
  changesFrame: undefined,
  moves: 'all',
  nextMoves: 'all',
})
