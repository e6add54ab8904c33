import type { FrameSink } from '../protocol/frame-sink.ts'
import type { FrameKind } from '../protocol/messages.ts'
import type { Body, ViewerGroup } from './cells.ts'

/** A client that sees the world from the body of its player. */
export type Viewer = {
  readonly body: Body
  readonly sink: FrameSink
  readonly kind: FrameKind
  /** In cells. */
  radius: number
  /** The view that the client knows. A radius of -1 means none. */
  toldX: number
  toldZ: number
  toldRadius: number
  /** Some moves of distant cells may not have been sent. `group` knows which cells are due. */
  isCrowded: boolean
  group: ViewerGroup | undefined
  /** The moves of the last tick were all distant and are sent with those of this tick. */
  hasWaited: boolean
  /** Some moves were left out. */
  isBehind: boolean
  /** The index among all viewers. */
  slot: number
}

/** A viewer that has not received anything yet. */
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
