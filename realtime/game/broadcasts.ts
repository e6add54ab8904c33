import type { Log } from '../../shared/kernel/log.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { ChatLine } from '../node-links/chat-line.ts'
import { encodeServerMessage, type FrameKind, type ServerMessageKind } from '../protocol/messages.ts'
import { createFrame } from '../protocol/web-socket-frame.ts'
import type { Session } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { type ChatBudget, createTickLines } from './chat-lines.ts'

/** The number of lines of other nodes that may wait for a tick with room: two seconds at a thousand lines per second. */
const waitingMax = 2_000

/** The number of lines that are remembered for reports. */
const linesRemembered = 20

const logEveryMs = 1_000

/** Messages to all players of the node, encoded once for each kind of frame. */
export type Broadcasts = {
  beginTick(nowMs: number): void
  /** Sends a message to all clients immediately. */
  send(message: ServerMessageKind): void
  /** Sends a line of this node to all players on all nodes at the end of this tick. Returns false if the tick has no room. */
  say(line: ChatLine): boolean
  /** Queues lines of another node. Lines wait for a tick with room. If too many wait, they are dropped, counted and logged. */
  hear(lines: readonly ChatLine[]): void
  /** The last lines that were sent to clients, oldest first. */
  lastLines(): readonly ChatLine[]
  /** Runs a task for one client after the lines of this tick are written. */
  afterLines(task: () => void): void
  /** Ends the tick with one write for each client. */
  flush(): void
}

export type BroadcastsDeps = {
  readonly sessions: Pick<Sessions, 'all' | 'count'>
  readonly settings: () => ChatBudget
  /** Sends the lines of this node to the other nodes. */
  readonly tell: (lines: readonly ChatLine[]) => void
  /** Receives all lines that were sent to clients, in order. */
  readonly said: (lines: readonly ChatLine[]) => void
  readonly metrics: Pick<RealtimeMetrics, 'countChat'>
  readonly log: Log
}

export const createBroadcasts = ({ sessions, settings, tell, said, metrics, log }: BroadcastsDeps): Broadcasts => {
  const tick = createTickLines(() => sessions.count().connected, settings)
  let own: ChatLine[] = []
  let waiting: ChatLine[] = []
  let last: readonly ChatLine[] = []
  let takenOfOthers = 0
  let wereLeftOut = false
  let tasks: (() => void)[] = []
  let dropped = 0
  let nowMs = 0
  let loggedMs = Number.NEGATIVE_INFINITY

  const write = (
    bytesOf: (kind: FrameKind) => Uint8Array,
    /** The bytes for a session that must not get the shared bytes. */
    ownBytesOf?: (kind: FrameKind, session: Session) => Uint8Array | undefined,
  ): void => {
    const made: Partial<Record<FrameKind, Uint8Array>> = {}
    for (const session of sessions.all()) {
      const { connection } = session
      if (connection === undefined) continue
      const own = ownBytesOf?.(connection.kind, session)
      if (own !== undefined) {
        if (own.length > 0) connection.sendFrame(own)
        continue
      }
      const bytes = made[connection.kind] ?? bytesOf(connection.kind)
      made[connection.kind] = bytes
      connection.sendFrame(bytes)
    }
  }

  const withoutIgnored = (kind: FrameKind, { ignored }: Session): Uint8Array | undefined =>
    ignored.size > 0 && tick.hasLineOf(ignored) ? tick.framesOf(kind, ignored) : undefined

  const remember = (lines: readonly ChatLine[]): void => {
    said(lines)
    last = [...last, ...lines.map(({ channel, from, text }) => ({ channel, from, text }))].slice(-linesRemembered)
  }

  const reportDropped = (): void => {
    if (dropped === 0 || nowMs - loggedMs < logEveryMs) return
    log.warn({ lines: dropped }, 'too many chat lines from other nodes; some were dropped')
    dropped = 0
    loggedMs = nowMs
  }

  const takeWaiting = (atMost: number): void => {
    let taken = 0
    for (const line of waiting.slice(0, atMost)) {
      if (!tick.add(line, 1)) break
      taken += 1
    }
    if (taken === 0) return
    takenOfOthers += taken
    remember(waiting.slice(0, taken))
    waiting = waiting.slice(taken)
    metrics.countChat('heard', taken)
  }

  return {
    beginTick: (now) => {
      nowMs = now
      tick.begin(now)
      // No line of other nodes fitted into the previous tick, so one of them comes first now.
      if (wereLeftOut) takeWaiting(1)
    },
    send: (message) => write((kind) => createFrame(encodeServerMessage(message, kind), kind)),
    say: (line) => {
      // While lines of other nodes wait, they get half of the tick, so that neither side can block the other.
      const hasRoom = tick.add(line, waiting.length === 0 ? 1 : 0.5)
      if (hasRoom) own.push(line)
      else metrics.countChat('refused', 1)
      return hasRoom
    },
    hear: (lines) => {
      const room = Math.max(0, waitingMax - waiting.length)
      waiting.push(...lines.slice(0, room))
      const lost = Math.max(0, lines.length - room)
      if (lost > 0) metrics.countChat('dropped', lost)
      dropped += lost
    },
    lastLines: () => last,
    afterLines: (task) => {
      tasks.push(task)
    },
    flush: () => {
      takeWaiting(waitingMax)
      wereLeftOut = takenOfOthers === 0 && waiting.length > 0
      takenOfOthers = 0
      if (own.length > 0) {
        remember(own)
        tell(own)
        metrics.countChat('said', own.length)
      }
      if (tick.hasLines()) write((kind) => tick.framesOf(kind), withoutIgnored)
      for (const task of tasks) task()
      own = []
      tasks = []
      tick.clear()
      reportDropped()
    },
  }
}
