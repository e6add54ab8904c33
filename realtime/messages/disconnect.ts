import { closings } from '../socket/closing.ts'
import type { MessageHandler } from './message.ts'

/** Ends the session at once. */
export const disconnect: MessageHandler<'disconnect'> = {
  cost: 1,
  handle: (game, session) => game.endSession(session, closings.left),
}
