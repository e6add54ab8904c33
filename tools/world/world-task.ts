import type { JobKind } from '../../shared/domain/jobs/job-kind.ts'
import type { JobService } from '../../shared/domain/jobs/job-service.ts'
import type { RunningJob } from '../../shared/domain/jobs/run-job.ts'
import type { WorldMoves } from '../../shared/domain/world-moves/world-moves.ts'
import type { BlockRegistry } from '../../shared/domain/worlds/chunks/block-registry.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import type { ChunkStore, WorldRef } from '../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import type { NewWorld, WorldService } from '../../shared/domain/worlds/world-service.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { ChunkPos } from '../../shared/rules/positions.ts'

/** What makes new columns of one world, as encoded records, on all cores. */
export type ColumnSource = {
  generate(pos: ChunkPos, wanted: { readonly distance: () => number; readonly signal: AbortSignal }): Promise<Uint8Array>
  close(): Promise<void>
}

/** What a new world's record says besides its name; what is absent is as for any new world. */
export type WorldFacts = Omit<NewWorld, 'name' | 'id'>

/** A world that is being brought in: nobody sees it until it is published. */
export type WorldStage = {
  /** What its chunks are to be written as. */
  readonly world: WorldRef
  readonly chunks: ChunkStore
  readonly fence: number
  /** Makes it a world that is there, whole, or throws and leaves it unseen. */
  publish(facts: WorldFacts): Promise<WorldRecord>
  /** Takes away what was not published, and lets the name go. */
  close(): Promise<void>
}

/** The worlds of the data folder, opened for one task of the command line. */
export type WorldTask = WorldMoves & {
  readonly worlds: WorldService
  readonly chunks: ChunkStore
  readonly clock: Clock
  readonly jobs: JobService
  /** Makes a job this process's and runs it. */
  readonly runJob: (id: string, kind: JobKind) => Promise<RunningJob>
  /** A registry of `blocks.yaml` of its own, for one reader of records. */
  readonly createRegistry: () => BlockRegistry
  /** After how many milliseconds without a holder a world counts as run by nobody; half a minute when absent. */
  readonly abandonedAfterMs?: number
  /** Throws AppError `conflict`, slug `world-held`, that names the holder. */
  readonly acquireLease: (world: WorldRef) => Promise<WorldLease>
  readonly openPool: (world: WorldRecord) => ColumnSource
  /** Throws AppError `conflict` when there is a world of that name, or somebody else brings one in. */
  readonly openStage: (name: string) => Promise<WorldStage>
  /** The worlds whose import runs, or was stopped in the middle. */
  readonly listImports: () => Promise<readonly WorldRef[]>
  /** Gives up an import that was stopped; throws AppError `conflict`, slug `world-held`, while it runs. */
  readonly discardImport: (world: WorldRef) => Promise<void>
  close(): Promise<void>
}
