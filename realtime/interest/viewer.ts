import type { FrameSink } from '../protocol/frame-sink.ts'
import type { FrameKind } from '../protocol/messages.ts'
import type { Body } from './cell.ts'
import type { Group } from './group.ts'

/** A client that looks at the world from its player's body. */
export type Viewer = {
  readonly body: Body
  readonly sink: FrameSink
  readonly kind: FrameKind
  /** In cells. */
  radius: number
  /** The view that the client was last told of; a radius of -1: nothing yet. */
  toldX: number
  toldZ: number
  toldRadius: number
  /** Distant cells may have moves that were not sent; `group` knows which turn it is. */
  isCrowded: boolean
  group: Group | undefined
  /** The last tick's moves, all of them distant, were put off to this one. */
  hasWaited: boolean
  /** Moves were left out. */
  isBehind: boolean
  /** Its place among all viewers. */
  slot: number
}

/** A viewer that knows of nobody. */
export const createViewer = (body: Body, sink: FrameSink, radius: number): Viewer => ({
  body,
  sink,
  kind: sink.kind,
  radius,
  toldX: 0,
  toldZ: 0,
  toldRadius: -1,
  isCrowded: false,
  group: undefined,
  hasWaited: false,
  isBehind: false,
  slot: -1,
})
