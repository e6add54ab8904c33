import type { FrameKind, FrameSink } from '../protocol/messages.ts'
import type { Body } from './cells.ts'

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
  isBehind: false,
  slot: -1,
})
