import type { ActiveSanctions } from '../../shared/domain/sanctions/active/follow-sanctions.ts'
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
import type { EdgeOfLand } from './corrections.ts'
import type { GameWorld } from './game-world.ts'
import type { ModuleHooks } from './module-hooks.ts'

/** What handlers of messages and events use within a tick. */
export type Game = {
  readonly interest: Interest
  readonly world: GameWorld
  readonly sessions: Sessions
  readonly access: SessionAccess
  readonly broadcasts: Broadcasts
  readonly edge: EdgeOfLand
  readonly executor: CommandExecutor
  /** All commands now, with those of modules. */
  readonly commands: readonly Command[]
  readonly modules: ModuleHooks
  readonly store: Store
  readonly activeSanctions: Pick<ActiveSanctions, 'findMute'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: RealtimeMetrics
  /** The time of this tick, on the monotonic clock. */
  nowMs(): number
  /** The largest view radius, in chunks. */
  viewRadiusMax(): number
  /** Waits for asynchronous work. Runs `then` with its result, or `failed` with its error, in a later tick. */
  later<T>(work: Promise<T>, then: (result: T) => void, failed: (error: unknown) => void): void
  /** Runs a task in a later tick. */
  enqueue(task: () => void): void
  /** Ends a session permanently, and sends the reason to its client. */
  endSession(session: Session, closing: Closing): void
}
