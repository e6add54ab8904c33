import type { SanctionsInForce } from '../../shared/domain/sanctions/in-force/sanctions-in-force.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import type { Command } from '../commands/command.ts'
import type { CommandExecutor } from '../commands/executor/executor.ts'
import type { Interest } from '../interest/interest.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionAccess } from '../sessions/session-access.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Closing } from '../socket/closing.ts'
import type { Broadcasts } from './broadcasts.ts'
import type { EdgeOfLand } from './edge-of-land.ts'
import type { GameWorld } from './game-world.ts'

/** What messages and events work on within a tick. */
export type Game = {
  readonly interest: Interest
  readonly world: GameWorld
  readonly sessions: Sessions
  readonly access: SessionAccess
  readonly broadcasts: Broadcasts
  readonly edge: EdgeOfLand
  readonly executor: CommandExecutor
  readonly commands: readonly Command[]
  readonly store: Store
  readonly sanctionsInForce: Pick<SanctionsInForce, 'findMute'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: RealtimeMetrics
  /** The time of this tick, on the clock that never goes back. */
  nowMs(): number
  /** The furthest that a player may see, in chunks. */
  viewRadiusMax(): number
  /** Work that waits for something outside: `then` runs in a later tick with what `work` resolved to, or `failed` with its error. */
  later<T>(work: Promise<T>, then: (result: T) => void, failed: (error: unknown) => void): void
  /** Work for a later tick. */
  enqueue(task: () => void): void
  /** Ends a session for good and tells its client, if there is one, why. */
  endSession(session: Session, closing: Closing): void
}
