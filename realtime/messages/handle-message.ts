import { isLimitedSignIn } from '../../shared/domain/permissions/limited-sign-in.ts'
import { replaceDisabledBySelf } from '../../shared/domain/players/disabled-commands.ts'
import { fitViewRadius } from '../game/fit-view-radius.ts'
import type { Game } from '../game/game.ts'
import type { Session } from '../sessions/session.ts'
import { closings } from '../socket/closing.ts'
import { chat } from './chat.ts'
import { type MessageCase, type MessageHandler, type MessageValues, sendError } from './message.ts'
import { move } from './move.ts'
import { command } from './run-command.ts'

/** Refuses a second Connect. Admission handles the first one. */
const connect: MessageHandler<'connect'> = {
  cost: 5,
  handle: (_game, session) =>
    sendError(session, 'already-connected', 'This connection already has a session. Send Connect only once.'),
}

/** Ends the session at once. */
const disconnect: MessageHandler<'disconnect'> = {
  cost: 1,
  handle: (game, session) => game.endSession(session, closings.left),
}

/** The cost of a few edits. */
export const editCost = 4
const editsPerCost = 16
const costMax = 20

/** Applies all edits or none. Each sixteen edits cost as much as one ordinary message. */
const editBlocks: MessageHandler<'editBlocks'> = {
  cost: ({ edits }) => Math.min(editCost + Math.floor(edits.length / editsPerCost), costMax),
  handle: ({ world }, session, message) => world.edits.edit(session, message),
}

/** A message to a module. The reply has the same `seq`. Its cost is that of a message that declares none. */
const moduleCall: MessageHandler<'moduleCall'> = {
  cost: 1,
  handle: (game, session, call) =>
    game.modules.receive(session, call, (reply) =>
      session.connection?.send({ $case: 'moduleReply', value: { seq: call.seq, ...reply } }),
    ),
}

/** The answer comes after all chat lines that were sent before the ping. */
const ping: MessageHandler<'ping'> = {
  cost: 1,
  handle: ({ broadcasts, clock }, { connection }, { nonce }) => {
    const value = { nonce, serverTime: clock.now() }
    broadcasts.afterLines(() => connection?.send({ $case: 'pong', value }))
  },
}

/** Stores the commands that the player switches off. A limited sign-in cannot change the stored state. */
const preferences: MessageHandler<'preferences'> = {
  cost: 4,
  handle: (game, session, { disabledCommands }) => {
    if (disabledCommands === undefined) return
    if (isLimitedSignIn(session.account, session.verified)) {
      sendError(session, 'password-sign-in-needed', 'Sign in with your password to switch commands on or off.')
      return
    }
    const names = disabledCommands.names.map((name) => name.toLowerCase().replace(/^\//, ''))
    const unknown = names.find((name) => !game.commands.some((command) => command.name === name))
    if (unknown !== undefined) {
      sendError(session, 'unknown-command', `There is no command "${[...unknown].slice(0, 64).join('')}".`)
      return
    }
    game.later(
      replaceDisabledBySelf(game, session.account.playerId, names),
      (disabled) => game.access.applyDisabled(session, disabled),
      () => sendError(session, 'service-unavailable', 'Preferences cannot be stored at the moment. Send them again.'),
    )
  },
}

/** Sets the requested view radius: at most what the server allows. With 0 the client gets no terrain. */
const viewRadius: MessageHandler<'viewRadius'> = {
  cost: 5,
  handle: (game, session, { chunks }) => {
    session.wishedRadius = chunks
    fitViewRadius(game, session)
  },
}

/** All kinds of messages from clients. */
const handlers: { readonly [C in MessageCase]: MessageHandler<C> } = {
  connect,
  move,
  editBlocks,
  chat,
  command,
  preferences,
  viewRadius,
  ping,
  disconnect,
  moduleCall,
}

/** The cost of a message in the budget of its sender. */
export const costOf = <C extends MessageCase>(message: { readonly $case: C; readonly value: MessageValues[C] }): number => {
  const { cost } = handlers[message.$case]
  return typeof cost === 'number' ? cost : cost(message.value)
}

/** Passes a message to its handler. */
export const handleMessage = <C extends MessageCase>(
  game: Game,
  session: Session,
  message: { readonly $case: C; readonly value: MessageValues[C] },
): void => handlers[message.$case].handle(game, session, message.value)
