import { isInBounds, normaliseAngles, resetMoveBudget } from '../../shared/rules/movement/move-budget.ts'
import type { Position } from '../commands/command.ts'
import type { Session } from '../sessions/session.ts'
import type { Game } from './game.ts'
import { sendCorrection } from './send-correction.ts'

/** Where the player is, and looks. */
export const positionOf = ({ body: { x, y, z, yaw, pitch } }: Session): Position => ({ x, y, z, yaw, pitch })

/** Takes a player there at once and tells the client; outside of the world it does nothing. In ticks only. */
export const teleport = (game: Game, session: Session, to: Position): void => {
  if (!isInBounds(to)) return
  game.interest.moveBody(session.body, normaliseAngles(to))
  resetMoveBudget(session.moves)
  sendCorrection(session, 'teleport')
}
