import { isEdgeToTell } from '../../shared/rules/movement/move-budget.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { Correction } from '../protocol/generated/gatehouse.ts'
import type { Session } from '../sessions/session.ts'

/** Players at the edge of generated land. A move beyond it gets a correction immediately, then once a second. */
export type EdgeOfLand = {
  /** The last move of a session leads there. Call it within a tick. */
  passOver(session: Session): void
  /** Sends a correction to players whose last move was skipped some time ago, because their clients may not send another move. */
  step(nowMs: number): void
}

/**
 * Sends the position of the player to the client in answer to its last move. `closed` is the part of a zone that only members may
 * enter. `refusedBy` is the module that refused the move.
 */
export const sendCorrection = (
  { body, moves, connection }: Session,
  reason: string,
  { closed, refusedBy }: Pick<Correction, 'closed' | 'refusedBy'> = {},
): void => {
  const { x, y, z, yaw, pitch } = body
  connection?.send({
    $case: 'correction',
    value: { seq: moves.lastSeq, position: { x, y, z, yaw, pitch }, reason, closed, refusedBy },
  })
}

export const createEdgeOfLand = (metrics: Pick<RealtimeMetrics, 'countRefusedMove'>, nowMs: () => number): EdgeOfLand => {
  /** Players without a correction yet, with the `seq` of the skipped move. */
  const untold = new Map<Session, number>()

  const tell = (session: Session): void => {
    untold.delete(session)
    metrics.countRefusedMove('edge')
    sendCorrection(session, 'edge')
  }

  return {
    passOver: (session) => {
      if (isEdgeToTell(session.moves, nowMs())) tell(session)
      else untold.set(session, session.moves.lastSeq)
    },
    step: (now) => {
      for (const [session, seq] of untold) {
        const { connection, moves } = session
        // The player has moved, was corrected or was teleported since.
        if (connection === undefined || !moves.isAtEdge || moves.lastSeq !== seq) untold.delete(session)
        else if (isEdgeToTell(moves, now)) tell(session)
      }
    },
  }
}
