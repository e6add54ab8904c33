import type { EventEmitter } from 'node:events'
import type {
  CommandResult,
  EditResult,
  ErrorReply,
  Kick,
  Pong,
  Position,
} from '../../../realtime/protocol/generated/gatehouse.ts'
import type { ServerMessageKind } from './client-frames.ts'
import type { GameClientEvents } from './game-client-events.ts'
import { createKnownWorld, type KnownWorld } from './known-world.ts'
import { createNearbyPlayers, type NearbyPlayers } from './nearby-players.ts'
import { createPendingReplies, type PendingReplies } from './pending-replies.ts'

/** What a client knows from the server's messages. */
export type Inbox = {
  /** Throws when a message makes no sense. */
  receive(message: ServerMessageKind): void
  readonly nearby: NearbyPlayers
  readonly world: KnownWorld
  readonly commands: PendingReplies<CommandResult>
  readonly edits: PendingReplies<EditResult>
  readonly pings: PendingReplies<Pong>
  /** For everything that is waited for. */
  rejectAll(error: Error): void
  position(): Position
  /** Takes an own move for granted until a Correction comes. */
  place(to: Partial<Position>): Position
  kick(): Kick | undefined
}

/** Takes in the messages of one connection, and passes each on as an event afterwards. */
export const createInbox = (events: EventEmitter<GameClientEvents>): Inbox => {
  const nearby = createNearbyPlayers()
  const world = createKnownWorld()
  const commands = createPendingReplies<CommandResult>()
  const edits = createPendingReplies<EditResult>()
  const pings = createPendingReplies<Pong>()
  let position: Position = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0 }
  let kick: Kick | undefined

  const place = (to: Partial<Position>): Position => {
    position = { ...position, ...to }
    return position
  }
  const refuse = ({ seq, message }: ErrorReply): void => {
    if (seq === undefined) return
    // Numbers are given once, whatever they are for.
    for (const pending of [commands, edits]) pending.reject(seq, new Error(message))
  }

  const receive = (message: ServerMessageKind): void => {
    switch (message.$case) {
      case 'welcome':
        nearby.clear()
        world.begin(message.value.blocks)
        place(message.value.position ?? {})
        events.emit('welcome', message.value)
        break
      case 'players':
        nearby.apply(message.value)
        events.emit('players', message.value)
        break
      case 'chunk':
        world.putChunk(message.value)
        break
      case 'chunkGone':
        world.dropChunk(message.value)
        break
      case 'blocksChanged':
        world.change(message.value.edits)
        events.emit('blocksChanged', message.value)
        break
      case 'blocksRegistry':
        world.learn(message.value.blocks)
        events.emit('blocksRegistry', message.value)
        break
      case 'editResult':
        edits.resolve(message.value.seq, message.value)
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
      case 'zoneChanged':
        events.emit('zoneChanged', message.value)
        break
    }
  }
  const rejectAll = (error: Error): void => {
    for (const pending of [commands, edits, pings]) pending.rejectAll(error)
  }
  return { receive, nearby, world, commands, edits, pings, rejectAll, position: () => position, place, kick: () => kick }
}
