import { EventEmitter } from 'node:events'
import type {
  BlockEdit,
  CommandResult,
  EditResult,
  Pong,
  Position,
  Welcome,
} from '../../../realtime/protocol/generated/gatehouse.ts'
import type { ClientMessageKind } from './client-frames.ts'
import type { Closed, GameClientEvents } from './game-client-events.ts'
import { type GameSocketOptions, openGameSocket } from './game-socket.ts'
import { createInbox } from './inbox.ts'
import type { KnownWorld } from './known-world.ts'
import type { NearbyPlayers } from './nearby-players.ts'
import type { PendingReplies } from './pending-replies.ts'

export type GameClientOptions = GameSocketOptions & {
  /** Needed unless there is a `resumeToken`. */
  readonly token?: string
  readonly resumeToken?: string
  readonly clientName?: string
}

/** One connection of one player. Everything sent before Welcome is the caller's fault, and the server refuses it. */
export type GameClient = {
  readonly events: EventEmitter<GameClientEvents>
  /** Rejects when the connection ends before. */
  readonly welcomed: Promise<Welcome>
  readonly closed: Promise<Closed>
  readonly nearby: NearbyPlayers
  /** The blocks around the player. */
  readonly world: KnownWorld
  /** Where the player is as far as the client knows: the last of Welcome, own moves and corrections. */
  position(): Position
  /** Asks for a place, the rest of the position as it is; returns the `seq` that a Correction would bear. */
  move(to: Partial<Position>): number
  chat(text: string): void
  /** The server's answer; rejects when the server refuses to take the message, or the connection ends. */
  command(text: string): Promise<CommandResult>
  /** Asks for all of these edits; the answer comes once they are durable, or with why not. Rejects as `command` does. */
  edit(edits: BlockEdit[]): Promise<EditResult>
  ping(): Promise<Pong>
  /** Any message, as it is. */
  send(message: ClientMessageKind): void
  /** Leaves cleanly; the session is over. */
  disconnect(): Promise<Closed>
  /** Drops the socket without a word, as a lost network does; the session can be resumed. */
  drop(): void
}

const protocolVersion = 1
/** How long a clean leave waits for the server. */
const leaveMs = 3_000

const describeClosed = ({ code, reason, kick, error }: Closed): string =>
  kick?.reason ?? error?.message ?? (reason || `The connection closed with code ${code}.`)

/** Connects, and speaks the real-time protocol (PROTOCOL.md section 1) from then on; nothing is answered or repeated by itself. */
export const createGameClient = (options: GameClientOptions): GameClient => {
  const { token = '', resumeToken, clientName = 'gatehouse-play' } = options
  const events = new EventEmitter<GameClientEvents>()
  const inbox = createInbox(events)
  let seq = 0
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

  const socket = openGameSocket(options, {
    onOpen: () =>
      socket.send({
        $case: 'connect',
        value: { token, protocolVersion, clientName, ...(resumeToken === undefined ? {} : { resumeToken }) },
      }),
    onMessage: inbox.receive,
    onClose: (closing) => {
      const kick = inbox.kick()
      const end = { ...closing, ...(kick && { kick }) }
      inbox.rejectAll(new Error(describeClosed(end)))
      events.emit('close', end)
    },
  })

  const ask = <T>(pending: PendingReplies<T>, id: number, message: ClientMessageKind): Promise<T> => {
    if (!socket.isOpen()) return Promise.reject(new Error('There is no connection.'))
    const reply = pending.wait(id)
    socket.send(message)
    return reply
  }

  return {
    events,
    welcomed,
    closed,
    nearby: inbox.nearby,
    world: inbox.world,
    position: inbox.position,
    move: (to) => {
      const value = { seq: nextSeq(), ...inbox.place(to) }
      socket.send({ $case: 'move', value })
      return value.seq
    },
    chat: (text) => socket.send({ $case: 'chat', value: { text } }),
    command: (text) => {
      const id = nextSeq()
      return ask(inbox.commands, id, { $case: 'command', value: { seq: id, text } })
    },
    edit: (edits) => {
      const id = nextSeq()
      return ask(inbox.edits, id, { $case: 'editBlocks', value: { seq: id, edits } })
    },
    ping: () => {
      const nonce = nextSeq()
      return ask(inbox.pings, nonce, { $case: 'ping', value: { nonce } })
    },
    send: socket.send,
    disconnect: () => {
      socket.send({ $case: 'disconnect', value: {} })
      if (socket.isConnecting()) socket.terminate()
      const timer = setTimeout(() => socket.terminate(), leaveMs)
      return closed.finally(() => clearTimeout(timer))
    },
    drop: socket.terminate,
  }
}
