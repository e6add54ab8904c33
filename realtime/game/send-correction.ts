import type { ClosedGround } from '../protocol/generated/gatehouse.ts'
import type { Session } from '../sessions/session.ts'

/** Tells a client where its player is, in answer to its last step; `closed`: the ground that it may not enter. */
export const sendCorrection = ({ body, moves, connection }: Session, reason: string, closed?: ClosedGround): void => {
  const { x, y, z, yaw, pitch } = body
  connection?.send({
    $case: 'correction',
    value: { seq: moves.lastSeq, position: { x, y, z, yaw, pitch }, reason, closed },
  })
}
