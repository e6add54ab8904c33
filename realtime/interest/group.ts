/** What viewers with one radius and kind of frame who stand in one cell share. */
export type Group = {
  /** The last tick for which `frame` was made. */
  tick: number
  /** Undefined when there is nothing to tell. */
  frame: Uint8Array | undefined
  /** Moves in `frame`. */
  entries: number
  /** Whether `frame` tells of comings and goings. */
  hasChanges: boolean
  /** The same without moves, for viewers that read too slowly; made on demand. */
  changesTick: number
  changesFrame: Uint8Array | undefined
  /** So many are in view that distant cells are sent less often. */
  isCrowded: boolean
  /** Distant cells may have moves that were not sent: the next frame holds everything of the last ticks. */
  mustFlush: boolean
}

export const createGroup = (): Group => ({
  tick: -1,
  frame: undefined,
  entries: 0,
  hasChanges: false,
  changesTick: -1,
  changesFrame: undefined,
  isCrowded: false,
  mustFlush: false,
})
