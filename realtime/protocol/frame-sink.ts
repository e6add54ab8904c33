import type { FrameKind } from './messages.ts'

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
