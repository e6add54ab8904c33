import type { FrameKind } from './messages.ts'

/**
 * The fate of a frame.
 * - written: the system has it, and its memory may be reused
 * - waiting: it waits in its memory
 * - left-out: it was not sent
 */
export type FrameFate = 'written' | 'waiting' | 'left-out'

/** The destination of a viewer's frames. */
export type FrameSink = {
  readonly kind: FrameKind
  /** Sends one or more whole WebSocket frames that must arrive. */
  sendFrame(frame: Uint8Array): FrameFate
  /** Sends a frame of movement. It is left out if too much is waiting already. */
  sendMovement(frame: Uint8Array): FrameFate
  /** Whether movement would be left out. */
  isCongested(): boolean
  /** The number of bytes of less urgent data that may be sent now. It shrinks with the amount of waiting data. */
  spareBytes(): number
}
