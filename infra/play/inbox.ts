import type { EventEmitter } from 'node:events'
import type { CommandResult, ErrorReply, Kick, Pong, Position } from '../../realtime/protocol/generated/gatehouse.ts'
import type { ServerMessageKind } from './client-frames.ts'
import type { GameClientEvents } from './game-client-events.ts'
import { createNearbyPlayers, type NearbyPlayers } from './nearby-players.ts'
import { createPendingReplies, type PendingReplies } from './pending-replies.ts'

/** What a client knows from the server's messages. */
export type Inbox = {
  receive(message: ServerMessageKind): void
  readonly nearby: NearbyPlayers
  readonly commands: PendingReplies<CommandResult>
  readonly pings: PendingReplies<Pong>
  position(): Position
  /** Takes an own move for granted until a Correction comes. */
  place(to: Partial<Position>): Position
  kick(): Kick | undefined
}

/** Takes in the messages of one connection, and passes each on as an event afterwards. */
export const createInbox = (events: EventEmitter<GameClientEvents>): Inbox => {
  const nearby = createNearbyPlayers()
  const commands = createPendingReplies<CommandResult>()
  const pings = createPendingReplies<Pong>()
  let position: Position = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0 }
  let kick: Kick | undefined

  const place = (to: Partial<Position>): Position => {
    position = { ...position, ...to }
    return position
  }
  const refuse = ({ seq, message }: ErrorReply): void => {
    if (seq !== undefined) commands.reject(seq, new Error(message))
  }

  const receive = (message: ServerMessageKind): void => {
    switch (message.$case) {
      case 'welcome':
        nearby.clear()
        place(message.value.position ?? {})
        events.emit('welcome', message.value)
        break
      case 'players':
        nearby.apply(message.value)
        events.emit('players', message.value)
        break
      case 'correction':
        place(message.value.position ?? {})
        events.emit('correction', message.value)
        break
      case 'commandResult':
        commands.resolve(message.value.seq, message.value)
        events.emit('commandResult', message.value)
        break
      case 'error':
        refuse(message.value)
        events.emit('refused', message.value)
        break
      case 'kick':
        kick = message.value
        events.emit('kick', message.value)
        break
      case 'pong':
        pings.resolve(message.value.nonce, message.value)
        events.emit('pong', message.value)
        break
      case 'chatMessage':
        events.emit('chat', message.value)
        break
      case 'notice':
        events.emit('notice', message.value)
        break
      case 'permissionsChanged':
        events.emit('permissionsChanged', message.value)
        break
    }
  }
  return { receive, nearby, commands, pings, position: () => position, place, kick: () => kick }
}
