import { fitViewRadius } from '../game/fit-view-radius.ts'
import type { MessageHandler } from './message.ts'

/** Sets the requested view radius: at least one chunk, at most what the server allows. */
export const viewRadius: MessageHandler<'viewRadius'> = {
  cost: 5,
  handle: (game, session, { chunks }) => {
    session.wishedRadius = Math.max(1, chunks)
    fitViewRadius(game, session)
  },
}
