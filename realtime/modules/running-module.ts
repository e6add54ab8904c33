import type { Schedule } from '../../shared/domain/modules/cron.ts'
import type { ModuleCode } from '../../shared/domain/modules/module-source.ts'
import type { LoadedSpec, ModuleFunction } from '../../shared/domain/modules/module-spec.ts'
import type { ModuleEntry } from '../../shared/domain/modules/modules-config.ts'
import type { HandlerCosts } from './handler-costs.ts'
import type { ModuleFaults } from './module-faults.ts'
import type { ModulePace } from './module-pace.ts'

/** A timer of a module. `everyMs` is absent for one that runs once. */
export type ModuleTimer = { dueMs: number; readonly everyMs?: number; readonly run: () => unknown; isEnded: boolean }

/** Work that a module spreads over ticks. */
export type ModuleJob = { readonly name: string; readonly steps: Iterator<unknown> }

/** A schedule of a module. */
export type ModuleSchedule = { readonly name: string; readonly schedule: Schedule; readonly run: ModuleFunction }

/** A module that was loaded and checked, and is ready to run. */
export type PreparedModule = {
  readonly spec: LoadedSpec
  readonly code: ModuleCode
  readonly entry: ModuleEntry
  /** Parsed by the schema of the module. */
  readonly settings: unknown
}

/** A module in the game. Owned by the game loop. */
export type RunningModule = Omit<PreparedModule, 'entry' | 'settings'> & {
  entry: ModuleEntry
  settings: unknown
  readonly name: string
  readonly timers: Set<ModuleTimer>
  readonly jobs: ModuleJob[]
  readonly schedules: readonly ModuleSchedule[]
  readonly faults: ModuleFaults
  readonly pace: ModulePace
  readonly costs: HandlerCosts
  /** Aborted when the module goes. */
  readonly ended: AbortController
  /** When calls of it were ended while the process stalled, in milliseconds of the monotonic clock. */
  stalledAtMs: readonly number[]
  /** Switched off: none of its code runs. */
  isOff: boolean
  /** Why it is slowed or off, as part of a sentence. */
  reason: string | undefined
  /** Called with the outcome of the longest and all calls of a tick. */
  tickMs: number
  longestMs: number
}
