import { fitViewRadius } from '../game/fit-view-radius.ts'
import type { MessageHandler } from './message.ts'

/** How far the player wants to see; no further than the server allows, and at least one chunk. */
export const viewRadius: MessageHandler<'viewRadius'> = {
  cost: 5,
  handle: (game, session, { chunks }) => {
    session.wishedRadius = Math.max(1, chunks)
    fitViewRadius(game, session)
  },
}
