import { cellRadius } from '../interest/cells.ts'
import type { Session } from '../sessions/session.ts'
import type { Game } from './game.ts'

/** Ends the terrain of a client. It discards the columns itself. */
const closeView = (world: Game['world'], session: Session): void => {
  if (session.chunkView !== undefined) world.streaming.close(session.chunkView)
  session.chunkView = undefined
}

/** Sets the view radius to what the player wishes and the server allows now. */
export const fitViewRadius = ({ world, viewRadiusMax }: Pick<Game, 'world' | 'viewRadiusMax'>, session: Session): void => {
  session.viewRadius = Math.min(session.wishedRadius, viewRadiusMax())
  const { chunkView, connection, viewer, viewRadius } = session
  if (viewRadius === 0) closeView(world, session)
  else if (chunkView !== undefined) world.streaming.setRadius(chunkView, viewRadius)
  else if (connection !== undefined && viewer !== undefined)
    session.chunkView = world.streaming.open({ body: session.body, sink: connection, viewRadius })
  if (viewer !== undefined) viewer.radius = cellRadius(viewRadius)
}
