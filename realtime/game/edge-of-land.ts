import { isEdgeToTell } from '../../shared/rules/movement/move-budget.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { Session } from '../sessions/session.ts'
import { sendCorrection } from './send-correction.ts'

/** Players whose steps lead to where no land is yet. They are told where they are at once, and after that once a second. */
export type EdgeOfLand = {
  /** The last step of a session leads there. In ticks only. */
  passOver(session: Session): void
  /** Tells those whose last step was passed over a while ago: their clients may send no other. Costs nothing for anybody else. */
  step(nowMs: number): void
}

export const createEdgeOfLand = (metrics: Pick<RealtimeMetrics, 'countRefusedMove'>, nowMs: () => number): EdgeOfLand => {
  /** Those who are yet to be told, with the `seq` of the step that was passed over. */
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
        // A later step was made, or answered; or they were taken elsewhere.
        if (connection === undefined || !moves.isAtEdge || moves.lastSeq !== seq) untold.delete(session)
        else if (isEdgeToTell(moves, now)) tell(session)
      }
    },
  }
}
