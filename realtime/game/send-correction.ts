import type { ClosedGround } from '../protocol/generated/gatehouse.ts'
import type { Session } from '../sessions/session.ts'

/**
 * Sends the position of the player to the client in answer to its last move. `closed` is the part of a zone that the player may not
 * enter.
 */
export const sendCorrection = ({ body, moves, connection }: Session, reason: string, closed?: ClosedGround): void => {
  const { x, y, z, yaw, pitch } = body
  connection?.send({
    $case: 'correction',
    value: { seq: moves.lastSeq, position: { x, y, z, yaw, pitch }, reason, closed },
  })
}
