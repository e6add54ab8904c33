import {
  type ClientMessageKind,
  type DecodedFrame,
  decodeClientFrame,
  encodeServerMessage,
  type FrameFate,
  type FrameKind,
  type ServerMessageKind,
} from '../protocol/messages.ts'
import { createFrame } from '../protocol/web-socket-frame.ts'
import { type Closing, closeGraceMs, closings } from './closing.ts'
import type { Connection, ConnectionOptions, SocketPort } from './connection.ts'
import { Heartbeats } from './heartbeats.ts'
import {
  createOverdraft,
  createTokenBucket,
  type Overdraft,
  payForRefusal,
  payFromOverdraft,
  type TokenBucket,
  takeTokens,
} from './message-budget.ts'
import { beforeSessionBytesMax, MessagesBeforeSession } from './messages-before-session.ts'

/** The maximum size of a message before there is a session. */
const firstMessageBytesMax = 8192

/** The cost of a frame that is not a message. */
const faultyCost = 2

/** The maximum size of one read of a socket. The count of unfinished bytes is exact to this. */
const readBytes = 65_536

/**
 * A class, unlike other parts: each of a thousand connections is used several times a tick, and closures would need much more
 * cache.
 */
class PlayerConnection<Owner> implements Connection<Owner> {
  session: Owner | undefined
  kind: FrameKind = 'binary'
  private readonly options: ConnectionOptions<Owner>
  private readonly socket: SocketPort
  private readonly bucket: TokenBucket
  private readonly overdraft: Overdraft = createOverdraft()
  private phase: 'new' | 'connecting' | 'open' | 'closing' = 'new'
  private isKindKnown = false
  readonly heartbeats = new Heartbeats()
  private readonly waiting = new MessagesBeforeSession()
  private readonly openedMs: number
  /** The timeout of a client that does not send Connect or does not close. */
  private timer: NodeJS.Timeout | undefined

  constructor(options: ConnectionOptions<Owner>) {
    const { socket, limits, clock, lateMs } = options
    this.options = options
    this.socket = socket
    this.openedMs = clock.monotonic()
    this.bucket = createTokenBucket(limits(), this.openedMs, lateMs(this.openedMs))
    this.beginPatience()
  }

  get address(): string | undefined {
    return this.options.address
  }

  receive(data: Uint8Array, frameKind: FrameKind): void {
    if (!this.begin(data.length, frameKind)) return
    const nowMs = this.options.clock.monotonic()
    if (this.phase === 'open') this.read(data, frameKind, nowMs, 0)
    else if (!this.pay(1, nowMs)) return
    else if (this.phase === 'connecting') this.keep(data, frameKind)
    else this.read(data, frameKind, nowMs, 1)
  }

  checkUnfinished(bytes: number): void {
    const isIn = this.phase === 'open'
    const bytesMax = isIn ? this.options.limits().maxMessageBytes + readBytes : beforeSessionBytesMax - this.waiting.bytes
    if (bytes > bytesMax) this.close(closings.tooLarge)
  }

  payFor(frame: 'ping' | 'pong'): boolean {
    if (frame === 'pong' && this.heartbeats.answered(this.options.clock.monotonic())) return true
    const unreadMax = this.phase === 'open' ? this.bufferedBytesMax() : beforeSessionBytesMax
    if (frame === 'ping' && this.socket.bufferedBytes() > unreadMax) this.close(closings.tooSlow)
    return this.phase !== 'closing' && this.pay(1, this.options.clock.monotonic())
  }

  heartbeat(): void {
    const nowMs = this.options.clock.monotonic()
    if (this.heartbeats.isDead(nowMs)) this.socket.terminate()
    else this.socket.ping()
    this.heartbeats.asked(nowMs)
  }

  ended(): void {
    clearTimeout(this.timer)
    this.waiting.takeAll()
    this.phase = 'closing'
    this.options.events.closed(this)
  }

  send(message: ServerMessageKind): void {
    this.sendFrame(createFrame(encodeServerMessage(message, this.kind), this.kind))
  }

  sendFrame(frame: Uint8Array): FrameFate {
    if (this.phase === 'closing') return 'left-out'
    const buffered = this.socket.bufferedBytes()
    if (buffered <= this.bufferedBytesMax()) return this.write(frame, buffered)
    this.close(closings.tooSlow)
    return 'left-out'
  }

  sendMovement(frame: Uint8Array): FrameFate {
    if (this.phase === 'closing') return 'written'
    const buffered = this.socket.bufferedBytes()
    return buffered > this.bufferedBytesMax() / 2 ? 'left-out' : this.write(frame, buffered)
  }

  isCongested(): boolean {
    return this.socket.bufferedBytes() > this.bufferedBytesMax() / 2
  }

  spareBytes(): number {
    return this.bufferedBytesMax() / 4 - this.socket.bufferedBytes()
  }

  isOpen(): boolean {
    return this.phase !== 'closing' && this.socket.isOpen()
  }

  admit(): void {
    if (this.phase !== 'connecting') return
    const { clock, place } = this.options
    this.phase = 'open'
    place.leave()
    for (const { data, kind } of this.waiting.takeAll()) if (this.isOpen()) this.read(data, kind, clock.monotonic(), 1)
  }

  close(closing: Closing): void {
    if (this.phase === 'closing') return
    if (this.phase === 'connecting') this.options.place.comeBack()
    this.phase = 'closing'
    clearTimeout(this.timer)
    this.waiting.takeAll()
    const { closeCode, ...kick } = closing
    this.options.metrics.countClosing(kick.code)
    if (this.isKindKnown && closing !== closings.left)
      this.write(createFrame(encodeServerMessage({ $case: 'kick', value: kick }, this.kind), this.kind), 0)
    this.timer = setTimeout(() => this.socket.terminate(), closeGraceMs)
    this.socket.close(closeCode, kick.code)
  }

  limitsChanged(): void {
    if (this.phase === 'new') this.beginPatience()
  }

  private bufferedBytesMax(): number {
    return this.options.limits().outgoingBufferBytes
  }

  private beginPatience(): void {
    clearTimeout(this.timer)
    const { limits, clock } = this.options
    const leftMs = this.openedMs + limits().connectTimeoutMs - clock.monotonic()
    this.timer = setTimeout(() => this.close(closings.notConnected), Math.max(0, leftMs))
  }

  // A frame that must wait is copied. Otherwise it would keep the whole memory of its tick alive.
  private write(frame: Uint8Array, buffered: number): FrameFate {
    const { traffic } = this.options
    traffic.framesOut += 1
    traffic.bytesOut += frame.length
    if (buffered === 0) {
      this.socket.write(frame)
      return this.socket.bufferedBytes() === 0 ? 'written' : 'waiting'
    }
    this.socket.write(new Uint8Array(frame))
    return 'written'
  }

  private noteKind(frameKind: FrameKind): void {
    if (!this.isKindKnown) this.kind = frameKind
    this.isKindKnown = true
  }

  private keep(data: Uint8Array, kind: FrameKind): void {
    this.waiting.add(data, kind)
    if (this.waiting.isTooMuch()) this.close(closings.tooMany)
  }

  /** Counts a message of this size. Returns false if the message is ignored. */
  private begin(bytes: number, frameKind: FrameKind): boolean {
    if (this.phase === 'closing') return false
    const { traffic, limits } = this.options
    this.noteKind(frameKind)
    this.heartbeats.heard()
    traffic.messagesIn += 1
    traffic.bytesIn += bytes
    const bytesMax = this.phase === 'open' ? limits().maxMessageBytes : firstMessageBytesMax
    if (bytes > bytesMax) this.close(closings.tooLarge)
    return bytes <= bytesMax
  }

  /** Handles a message of which `paid` tokens are paid. Decodes it first, because edits that cost too much are answered. */
  private read(data: Uint8Array, frameKind: FrameKind, nowMs: number, paid: number): void {
    const decoded = decodeClientFrame(data, frameKind)
    if (!decoded.ok) {
      if (this.pay(faultyCost - paid, nowMs)) this.refuse(decoded)
      return
    }
    const { message } = decoded
    const { events, limits } = this.options
    // A full budget pays for any message, even if the budget is small.
    const cost = Math.min(events.costOf(message), limits().messageBurst) - paid
    if (this.phase !== 'open') this.takeFirst(message, cost, nowMs)
    else if (message.$case === 'editBlocks' && !this.payFromBudget(cost, nowMs))
      this.refuseEdits(message.value.seq, data.length, nowMs)
    else if (message.$case === 'editBlocks' || this.pay(cost, nowMs)) events.received(this, message)
  }

  private payFromBudget(cost: number, nowMs: number): boolean {
    const { limits, lateMs } = this.options
    return cost <= 0 || takeTokens(this.bucket, limits(), cost, nowMs, lateMs(nowMs))
  }

  /** Pays for a message, or closes the connection. */
  private pay(cost: number, nowMs: number): boolean {
    if (this.payFromBudget(cost, nowMs) || payFromOverdraft(this.overdraft, this.options.limits(), cost, nowMs)) return true
    this.close(closings.tooMany)
    return false
  }

  /** Answers edits that the budget cannot pay for. A flood of them closes the connection. */
  private refuseEdits(seq: number, bytes: number, nowMs: number): void {
    const { limits, metrics } = this.options
    if (payForRefusal(this.overdraft, limits(), bytes, nowMs)) {
      metrics.countEdit('busy')
      this.send({ $case: 'editResult', value: { seq, ok: false, reason: 'busy' } })
    } else this.close(closings.tooMany)
  }

  private takeFirst(message: ClientMessageKind, cost: number, nowMs: number): void {
    if (!this.pay(cost, nowMs)) return
    if (message.$case === 'connect') {
      this.phase = 'connecting'
      this.options.place.ask()
      clearTimeout(this.timer)
      this.timer = undefined
      this.options.events.received(this, message)
    } else this.close(closings.notConnected)
  }

  private refuse({ code, detail, seq, field }: Extract<DecodedFrame, { ok: false }>): void {
    if (this.phase === 'new') this.close(closings.notConnected)
    else this.send({ $case: 'error', value: { code, message: detail, seq, field } })
  }
}

/** A connection that waits for Connect. */
export const createConnection = <Owner>(options: ConnectionOptions<Owner>): Connection<Owner> => new PlayerConnection(options)
