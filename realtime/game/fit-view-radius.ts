import { cellRadius } from '../interest/cell.ts'
import type { Session } from '../sessions/session.ts'
import type { Game } from './game.ts'

/** Sets the view radius to what the player wishes and the server allows now. */
export const fitViewRadius = ({ world, viewRadiusMax }: Pick<Game, 'world' | 'viewRadiusMax'>, session: Session): void => {
  session.viewRadius = Math.min(session.wishedRadius, viewRadiusMax())
  const { chunkView, viewer, viewRadius } = session
  if (chunkView !== undefined) world.streaming.setRadius(chunkView, viewRadius)
  if (viewer !== undefined) viewer.radius = cellRadius(viewRadius)
}
