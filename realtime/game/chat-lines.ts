import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { ChatLine } from '../node-links/chat-line.ts'
import { encodeServerMessage, type FrameKind } from '../protocol/messages.ts'
import { createFrame } from '../protocol/web-socket-frame.ts'

/**
 * The limits of chat. By default a client gets, per second, a third of the bytes that it may leave unread. A tick writes only what
 * takes a fraction of its time.
 */
export type ChatBudget = Pick<ServerConfig['realtime'], 'chatBytesPerSecond' | 'chatBytesPerTick'>

/** The burst after a quiet time or a late tick: 64 KiB with the default limits. */
const burstSeconds = 0.2048

/** The chat lines of one tick, from any node. */
export type TickLines = {
  begin(nowMs: number): void
  /** Adds a line if it fits into that share of the tick. The first line always fits. */
  add(line: ChatLine, share: number): boolean
  hasLines(): boolean
  /** The finished frames of all lines, except those of `ignored` players, in one buffer. */
  framesOf(kind: FrameKind, ignored?: ReadonlySet<string>): Buffer
  /** Whether any line is by one of these players. */
  hasLineOf(players: ReadonlySet<string>): boolean
  clear(): void
}

const encode = ({ channel, from, text, by }: ChatLine, kind: FrameKind): Buffer =>
  createFrame(encodeServerMessage({ $case: 'chatMessage', value: { channel, from, text, fromId: by } }, kind), kind)

const isOf = ({ by }: ChatLine, players: ReadonlySet<string> | undefined): boolean =>
  by !== undefined && players?.has(by) === true

export const createTickLines = (countClients: () => number, budget: () => ChatBudget): TickLines => {
  let lines: ChatLine[] = []
  let frames: Buffer[] = []
  /** Created for the first client with text frames. */
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
