import { type MessageHandler, sendError } from './message.ts'

/** Refuses a second Connect. Admission handles the first one. */
export const connect: MessageHandler<'connect'> = {
  cost: 5,
  handle: (_game, session) =>
    sendError(session, 'already-connected', 'This connection already has a session. Send Connect only once.'),
}
