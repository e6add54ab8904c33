import type { Game } from '../game/game.ts'
import type { Session } from '../sessions/session.ts'
import { chat } from './chat.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { editBlocks } from './edit-blocks.ts'
import type { MessageCase, MessageHandler, MessageValues } from './message.ts'
import { moduleCall } from './module-call.ts'
import { move } from './move.ts'
import { ping } from './ping.ts'
import { preferences } from './preferences.ts'
import { command } from './run-command.ts'
import { viewRadius } from './view-radius.ts'

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
