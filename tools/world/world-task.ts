import type { JobKind } from '../../shared/domain/jobs/job-kind.ts'
import type { JobService } from '../../shared/domain/jobs/job-service.ts'
import type { RunningJob } from '../../shared/domain/jobs/run-job.ts'
import type { WorldStates } from '../../shared/domain/modules/data/world-states.ts'
import type { WorldStage } from '../../shared/domain/world-moves/files/import/world-stage.ts'
import type { WorldMoves } from '../../shared/domain/world-moves/world-moves.ts'
import type { BlockRegistry } from '../../shared/domain/worlds/chunks/block-registry.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import type { ChunkStore, WorldRef } from '../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import type { WorldService } from '../../shared/domain/worlds/world-service.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { ChunkPos } from '../../shared/rules/positions.ts'

/** Generates columns of one world, as encoded records, on all cores. */
export type ColumnSource = {
  generate(pos: ChunkPos, wanted: { readonly distance: () => number; readonly signal: AbortSignal }): Promise<Uint8Array>
  close(): Promise<void>
}

/** The worlds of the data folder, opened for one command-line task. */
export type WorldTask = WorldMoves & {
  readonly worlds: WorldService
  readonly chunks: ChunkStore
  readonly clock: Clock
  readonly jobs: JobService
  /** Takes over a job and runs it in this process. */
  readonly runJob: (id: string, kind: JobKind) => Promise<RunningJob>
  /** A separate registry of `blocks.yaml` for one reader of records. */
  readonly createRegistry: () => BlockRegistry
  /** Milliseconds without a holder after which a world counts as abandoned; half a minute when absent. */
  readonly abandonedAfterMs?: number
  /** Throws AppError `conflict` (`world-held`) with the name of the holder. */
  readonly acquireLease: (world: WorldRef) => Promise<WorldLease>
  readonly moduleStates: WorldStates
  readonly openPool: (world: WorldRecord) => ColumnSource
  /** Throws AppError `conflict` if a world with this name exists, or another process imports one. */
  readonly openStage: (name: string) => Promise<WorldStage>
  /** Worlds whose import runs, or was stopped. */
  readonly listImports: () => Promise<readonly WorldRef[]>
  /** Discards an import that was stopped. Throws AppError `conflict` (`world-held`) while it runs. */
  readonly discardImport: (world: WorldRef) => Promise<void>
  close(): Promise<void>
}
