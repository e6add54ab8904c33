import { EventEmitter } from 'node:events'
import type { WebSocket } from 'ws'
import type { CommandResult, Pong, Position, Welcome } from '../../realtime/protocol/generated/gatehouse.ts'
import { type ClientMessageKind, createClientFrames } from './client-frames.ts'
import type { Closed, GameClientEvents } from './game-client-events.ts'
import { createInbox } from './inbox.ts'
import type { NearbyPlayers } from './nearby-players.ts'
import type { PendingReplies } from './pending-replies.ts'

export type GameClientOptions = {
  /** The server's base address: `http://127.0.0.1:3000`. */
  readonly url: string
  /** Needed unless there is a `resumeToken`. */
  readonly token?: string
  readonly resumeToken?: string
  /** protobuf, or its JSON mapping in text frames. */
  readonly binary: boolean
  readonly WebSocket: typeof WebSocket
  readonly clientName?: string
}

/** One connection of one player. Everything sent before Welcome is the caller's fault, and the server refuses it. */
export type GameClient = {
  readonly events: EventEmitter<GameClientEvents>
  /** Rejects when the connection ends before. */
  readonly welcomed: Promise<Welcome>
  readonly closed: Promise<Closed>
  readonly nearby: NearbyPlayers
  /** Where the player is as far as the client knows: the last of Welcome, own moves and corrections. */
  position(): Position
  /** Asks for a place, the rest of the position as it is; returns the `seq` that a Correction would bear. */
  move(to: Partial<Position>): number
  chat(text: string): void
  /** The server's answer; rejects when the server refuses to take the message, or the connection ends. */
  command(text: string): Promise<CommandResult>
  ping(): Promise<Pong>
  /** Any message, as it is. */
  send(message: ClientMessageKind): void
  /** Leaves cleanly; the session is over. */
  disconnect(): Promise<Closed>
  /** Drops the socket without a word, as a lost network does; the session can be resumed. */
  drop(): void
}

const protocolVersion = 1
const handshakeMs = 10_000
/** How long a clean leave waits for the server. */
const leaveMs = 3_000

const addressOf = (url: string): string => `${url.replace(/^http/, 'ws').replace(/\/$/, '')}/realtime`

const describeClosed = ({ code, reason, kick, error }: Closed): string =>
  kick?.reason ?? error?.message ?? (reason || `The connection closed with code ${code}.`)

/** Connects, and speaks the real-time protocol (PROTOCOL.md section 1) from then on; nothing is answered or repeated by itself. */
export const createGameClient = (options: GameClientOptions): GameClient => {
  const { url, token = '', resumeToken, binary, clientName = 'gatehouse-play' } = options
  const frames = createClientFrames(binary)
  const socket = new options.WebSocket(addressOf(url), { handshakeTimeout: handshakeMs, perMessageDeflate: false })
  const events = new EventEmitter<GameClientEvents>()
  const inbox = createInbox(events)
  const { commands, pings } = inbox
  let seq = 0
  let failure: Error | undefined

  const send = (message: ClientMessageKind): void => {
    if (socket.readyState === socket.OPEN) socket.send(frames.encode(message))
  }
  const nextSeq = (): number => {
    seq += 1
    return seq
  }

  const closed = new Promise<Closed>((resolve) => events.once('close', resolve))
  const welcomed = new Promise<Welcome>((resolve, reject) => {
    events.once('welcome', resolve)
    events.once('close', (end) => reject(new Error(describeClosed(end))))
  })
  // Whoever does not wait for Welcome learns of the end by `closed`.
  welcomed.catch(() => undefined)

  socket.binaryType = 'nodebuffer'
  socket.on('open', () =>
    send({
      $case: 'connect',
      value: { token, protocolVersion, clientName, ...(resumeToken === undefined ? {} : { resumeToken }) },
    }),
  )
  socket.on('message', (data, isBinary) => {
    try {
      const frame = Buffer.isBuffer(data) ? data : Buffer.from(data.toString())
      const message = frames.decode(isBinary ? frame : frame.toString('utf8'))
      if (message !== undefined) inbox.receive(message)
    } catch (error) {
      failure = new Error('The server sent a frame that is not of the protocol.', { cause: error })
      socket.terminate()
    }
  })
  socket.on('error', (error) => {
    failure = error
  })
  socket.on('close', (code, reason) => {
    const kick = inbox.kick()
    const end = { code, reason: reason.toString('utf8'), ...(kick && { kick }), ...(failure && { error: failure }) }
    const lost = new Error(describeClosed(end))
    commands.rejectAll(lost)
    pings.rejectAll(lost)
    events.emit('close', end)
  })

  const ask = <T>(pending: PendingReplies<T>, id: number, message: ClientMessageKind): Promise<T> => {
    if (socket.readyState !== socket.OPEN) return Promise.reject(new Error('There is no connection.'))
    const reply = pending.wait(id)
    send(message)
    return reply
  }

  return {
    events,
    welcomed,
    closed,
    nearby: inbox.nearby,
    position: inbox.position,
    move: (to) => {
      const value = { seq: nextSeq(), ...inbox.place(to) }
      send({ $case: 'move', value })
      return value.seq
    },
    chat: (text) => send({ $case: 'chat', value: { text } }),
    command: (text) => {
      const id = nextSeq()
      return ask(commands, id, { $case: 'command', value: { seq: id, text } })
    },
    ping: () => {
      const nonce = nextSeq()
      return ask(pings, nonce, { $case: 'ping', value: { nonce } })
    },
    send,
    disconnect: () => {
      send({ $case: 'disconnect', value: {} })
      if (socket.readyState === socket.CONNECTING) socket.terminate()
      const timer = setTimeout(() => socket.terminate(), leaveMs)
      return closed.finally(() => clearTimeout(timer))
    },
    drop: () => socket.terminate(),
  }
}
