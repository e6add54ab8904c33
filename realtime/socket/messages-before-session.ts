import type { FrameKind } from '../protocol/messages.ts'

/** The maximum number of bytes held for a client without a session: received and unread ones. */
export const beforeSessionBytesMax = 16_384

/** The maximum number of messages that wait for a session. */
const waitingMax = 64

type Kept = { readonly data: Uint8Array; readonly kind: FrameKind }

/** Raw messages that wait for a session. Decoded messages would take many times their bytes. */
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

  /** Returns all messages in order, and clears the queue. */
  takeAll(): readonly Kept[] {
    const { messages } = this
    this.messages = []
    this.bytes = 0
    return messages
  }
}
