import type { FrameKind } from '../protocol/messages.ts'

/** Bytes that a client may be held before there is a session: of what it sent, and of what it does not read. */
export const beforeSessionBytesMax = 16_384

/** Messages that may wait for a session that is being made. */
const waitingMax = 64

type Kept = { readonly data: Uint8Array; readonly kind: FrameKind }

/** Messages that wait for a session that is being made, as they came: what they are read to has many times their bytes. */
export class MessagesBeforeSession {
  bytes = 0
  private messages: Kept[] = []

  isTooMuch(): boolean {
    return this.messages.length > waitingMax || this.bytes > beforeSessionBytesMax
  }

  /** Copies the message. */
  add(data: Uint8Array, kind: FrameKind): void {
    this.messages.push({ data: new Uint8Array(data), kind })
    this.bytes += data.length
  }

  /** All of them, in order; none wait from then on. */
  takeAll(): readonly Kept[] {
    const { messages } = this
    this.messages = []
    this.bytes = 0
    return messages
  }
}
