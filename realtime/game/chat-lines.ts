import { encodeServerMessage, type FrameKind } from '../protocol/messages.ts'
import { createFrame } from '../socket/web-socket-frame.ts'

/** What somebody said, and where. */
export type ChatLine = { readonly channel: string; readonly from: string; readonly text: string }

/** Chat that one client may be sent, in bytes: 320 a millisecond, which makes a third of what it may leave unread in a second. */
const clientBytesPerMs = 320

/** The same at once, after a time in which less was said, or a tick that came late: a sixteenth of what it may leave unread. */
const clientBurstBytes = 65_536

/** Chat to all clients of the node in one tick, in bytes: what takes a fraction of a tick to write. */
const totalBytesMax = 8_388_608

/** The lines of one tick, of whatever node. */
export type TickLines = {
  begin(nowMs: number): void
  /** Takes a line if what is there leaves room for it in that share of the tick; the first one always finds room. */
  add(line: ChatLine, share: number): boolean
  hasLines(): boolean
  /** All of them for a client of that kind: finished frames, one behind the other, to be written at once. */
  framesOf(kind: FrameKind): Buffer
  clear(): void
}

const encode = (value: ChatLine, kind: FrameKind): Buffer =>
  createFrame(encodeServerMessage({ $case: 'chatMessage', value }, kind), kind)

export const createTickLines = (countClients: () => number): TickLines => {
  let lines: ChatLine[] = []
  let frames: Buffer[] = []
  let bytes = 0
  let room = clientBurstBytes
  let lastMs = 0
  return {
    begin: (nowMs) => {
      room = Math.min(clientBurstBytes, room + (nowMs - lastMs) * clientBytesPerMs)
      lastMs = nowMs
    },
    add: (line, share) => {
      const frame = encode(line, 'binary')
      const total = bytes + frame.length
      const fits = total <= room * share && total * countClients() <= totalBytesMax * share
      if (!fits && lines.length > 0) return false
      lines.push(line)
      frames.push(frame)
      bytes = total
      return true
    },
    hasLines: () => lines.length > 0,
    framesOf: (kind) => Buffer.concat(kind === 'binary' ? frames : lines.map((line) => encode(line, kind))),
    clear: () => {
      room = Math.max(0, room - bytes)
      lines = []
      frames = []
      bytes = 0
    },
  }
}
