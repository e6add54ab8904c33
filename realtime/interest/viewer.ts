import type { FrameKind } from '../protocol/messages.ts'
import type { Body } from './cell.ts'
import type { Group } from './group.ts'

/** What became of a frame: with the system, so that its memory may be used again; waiting in that memory; or not sent. */
export type FrameFate = 'written' | 'waiting' | 'left-out'

/** Where a viewer's frames go. */
export type FrameSink = {
  readonly kind: FrameKind
  /** One whole WebSocket frame, or several in one piece, that must arrive. */
  sendFrame(frame: Uint8Array): FrameFate
  /** A frame of movement; left out when too much waits already. */
  sendMovement(frame: Uint8Array): FrameFate
  /** Whether movement would be left out. */
  isCongested(): boolean
  /** Bytes of what is not urgent that may be sent at this moment; none, or less, while as much waits already. */
  spareBytes(): number
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
