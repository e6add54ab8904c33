import { findMoveRefusal, isCurrentMove, normaliseAngles, payForMove, refillMoveBudget } from '../world/physics/move-budget.ts'
import { findBlockRefusal } from '../world/physics/move-through-blocks.ts'
import type { MessageHandler } from './message.ts'

/** Where the player wants to be; refused with the place where they are. */
export const move: MessageHandler<'move'> = {
  cost: 1,
  handle: (game, session, value) => {
    const { body, moves } = session
    if (!isCurrentMove(moves, value.seq)) return
    refillMoveBudget(moves, game.nowMs())
    const refusal =
      findMoveRefusal(moves, body, value) ??
      findBlockRefusal(game.world, body, value) ??
      game.world.findZoneRefusal(session, value)
    if (refusal === undefined) {
      payForMove(moves, body, value)
      game.interest.moveBody(body, normaliseAngles(value))
      return
    }
    game.metrics.countRefusedMove(refusal)
    const { x, y, z, yaw, pitch } = body
    session.connection?.send({
      $case: 'correction',
      value: { seq: value.seq, position: { x, y, z, yaw, pitch }, reason: refusal },
    })
  },
}
