import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { ChatLine } from '../links/chat-line.ts'
import { encodeServerMessage, type FrameKind } from '../protocol/messages.ts'
import { createFrame } from '../protocol/web-socket-frame.ts'

/** What chat may cost. By default a client is sent a third of what it may leave unread in a second, and a tick writes what takes a fraction of it. */
export type ChatBudget = Pick<ServerConfig['realtime'], 'chatBytesPerSecond' | 'chatBytesPerTick'>

/** What a client is sent at once, after a time in which less was said, or a tick that came late: 64 KiB of the default. */
const burstSeconds = 0.2048

/** The lines of one tick, of any node. */
export type TickLines = {
  begin(nowMs: number): void
  /** Takes a line if what is there leaves room for it in that share of the tick; the first one always finds room. */
  add(line: ChatLine, share: number): boolean
  hasLines(): boolean
  /** All of them for a client of that kind, but for those of `ignored` players: finished frames, one behind the other, to be written at once. */
  framesOf(kind: FrameKind, ignored?: ReadonlySet<string>): Buffer
  /** Whether one of them is by one of those players. */
  hasLineOf(players: ReadonlySet<string>): boolean
  clear(): void
}

const encode = ({ channel, from, text }: ChatLine, kind: FrameKind): Buffer =>
  createFrame(encodeServerMessage({ $case: 'chatMessage', value: { channel, from, text } }, kind), kind)

const isOf = ({ by }: ChatLine, players: ReadonlySet<string> | undefined): boolean =>
  by !== undefined && players?.has(by) === true

export const createTickLines = (countClients: () => number, budget: () => ChatBudget): TickLines => {
  let lines: ChatLine[] = []
  let frames: Buffer[] = []
  /** Made when the first client of text frames asks. */
  let textFrames: readonly Buffer[] | undefined
  let bytes = 0
  let room = budget().chatBytesPerSecond * burstSeconds
  let lastMs = 0
  return {
    begin: (nowMs) => {
      const { chatBytesPerSecond } = budget()
      room = Math.min(chatBytesPerSecond * burstSeconds, room + ((nowMs - lastMs) * chatBytesPerSecond) / 1000)
      lastMs = nowMs
    },
    add: (line, share) => {
      const frame = encode(line, 'binary')
      const total = bytes + frame.length
      const fits = total <= room * share && total * countClients() <= budget().chatBytesPerTick * share
      if (!fits && lines.length > 0) return false
      lines.push(line)
      frames.push(frame)
      bytes = total
      return true
    },
    hasLines: () => lines.length > 0,
    framesOf: (kind, ignored) => {
      if (kind === 'text') textFrames ??= lines.map((line) => encode(line, kind))
      const made = (kind === 'text' ? textFrames : frames) ?? []
      return Buffer.concat(made.filter((_frame, at) => lines[at] !== undefined && !isOf(lines[at], ignored)))
    },
    hasLineOf: (players) => lines.some((line) => isOf(line, players)),
    clear: () => {
      room = Math.max(0, room - bytes)
      lines = []
      frames = []
      textFrames = undefined
      bytes = 0
    },
  }
}
