/** A frame that all viewers of a group may be sent, made at most once a tick. */
type SharedFrame = {
  /** The last tick for which it was made. */
  tick: number
  /** Undefined when there is nothing to tell. */
  frame: Uint8Array | undefined
  /** Moves in it. */
  entries: number
}

/** What viewers with one radius and kind of frame who stand in one cell share. */
export type Group = {
  /** The last tick in which somebody looked for it. */
  tick: number
  /** With the moves of this tick, and with those of this one and the last. */
  readonly frames: readonly [SharedFrame, SharedFrame]
  /** Whether this tick's frames tell of comings and goings. */
  hasChanges: boolean
  /** The same without moves, for viewers that read too slowly; made on demand. */
  changesTick: number
  changesFrame: Uint8Array | undefined
  /** How this tick's moves are told: all; distant cells less often; or everything of the last ticks, since a crowd has left. */
  moves: 'all' | 'crowded' | 'flush'
  /** The same for the next tick. */
  nextMoves: 'all' | 'crowded' | 'flush'
}

const createSharedFrame = (): SharedFrame => ({ tick: -1, frame: undefined, entries: 0 })

export const createGroup = (): Group => ({
  tick: -1,
  frames: [createSharedFrame(), createSharedFrame()],
  hasChanges: false,
  changesTick: -1,
  changesFrame: undefined,
  moves: 'all',
  nextMoves: 'all',
})
