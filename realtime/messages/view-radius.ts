import { cellRadius } from '../interest/cell.ts'
import type { MessageHandler } from './message.ts'

/** How far the player wants to see; no further than the server allows, and at least one chunk. */
export const viewRadius: MessageHandler<'viewRadius'> = {
  cost: 5,
  handle: (game, session, { chunks }) => {
    session.viewRadius = Math.max(1, Math.min(chunks, game.viewRadiusMax()))
    if (session.chunkView !== undefined) game.world.streaming.setRadius(session.chunkView, session.viewRadius)
    if (session.viewer !== undefined) session.viewer.radius = cellRadius(session.viewRadius)
  },
}
