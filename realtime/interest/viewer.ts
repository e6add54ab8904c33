import type { FrameKind } from '../protocol/messages.ts'
import type { Body } from './body.ts'
import type { Group } from './group.ts'

/** Where a viewer's frames go. */
export type FrameSink = {
  readonly kind: FrameKind
  /** A whole WebSocket frame that must arrive. */
  sendFrame(frame: Uint8Array): void
  /** A frame of movement; false, and nothing sent, when too much waits already. */
  sendMovement(frame: Uint8Array): boolean
  /** Whether movement would be left out. */
  isCongested(): boolean
}

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
  isBehind: false,
  slot: -1,
})
