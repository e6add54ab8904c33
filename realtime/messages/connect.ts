import { type MessageHandler, sendError } from './message.ts'

/** The first Connect never gets here: it makes the session. */
export const connect: MessageHandler<'connect'> = {
  cost: 5,
  handle: (_game, session) => sendError(session, 'already-connected', 'This connection has a session; Connect comes once.'),
}
