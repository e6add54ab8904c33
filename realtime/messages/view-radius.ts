import { fitViewRadius } from '../game/fit-view-radius.ts'
import type { MessageHandler } from './message.ts'

/** Sets the requested view radius: at most what the server allows. With 0 the client gets no terrain. */
export const viewRadius: MessageHandler<'viewRadius'> = {
  cost: 5,
  handle: (game, session, { chunks }) => {
    session.wishedRadius = chunks
    fitViewRadius(game, session)
  },
}
