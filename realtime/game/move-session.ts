import { isInBounds, normaliseAngles, resetMoveBudget } from '../../shared/rules/movement/move-budget.ts'
import type { Position } from '../commands/command.ts'
import type { Session } from '../sessions/session.ts'
import { sendCorrection } from './corrections.ts'
import type { Game } from './game.ts'

/** The position and view direction of the player. */
export const positionOf = ({ body: { x, y, z, yaw, pitch } }: Session): Position => ({ x, y, z, yaw, pitch })

/** Moves a player and informs the client. Does nothing if the position is outside the world. Call it within a tick. */
export const teleport = (game: Game, session: Session, to: Position): void => {
  if (!isInBounds(to)) return
  game.interest.moveBody(session.body, normaliseAngles(to))
  resetMoveBudget(session.moves)
  sendCorrection(session, 'teleport')
}
