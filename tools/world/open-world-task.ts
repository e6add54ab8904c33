import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createGenerationPool } from '../../realtime/workers/generation-pool.ts'
import type { JobKind } from '../../shared/domain/jobs/job.ts'
import type { JobService } from '../../shared/domain/jobs/job-service.ts'
import { type RunningJob, runStoredJob } from '../../shared/domain/jobs/run-job.ts'
import { createWorldStates, type WorldStates } from '../../shared/domain/modules/data/world-states.ts'
import { createWorldMoves } from '../../shared/domain/world-moves/files/create-world-moves.ts'
import { openStage } from '../../shared/domain/world-moves/files/import/open-stage.ts'
import type { WorldStage } from '../../shared/domain/world-moves/files/import/world-stage.ts'
import type { WorldMoves } from '../../shared/domain/world-moves/world-moves.ts'
import { type BlockRegistry, registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { acquireLease } from '../../shared/domain/worlds/leases/acquire-lease.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import type { ChunkStore, WorldRef } from '../../shared/domain/worlds/store/chunk-store.ts'
import { createLmdbChunkStore } from '../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import { listImports } from '../../shared/domain/worlds/world-names.ts'
import type { WorldService } from '../../shared/domain/worlds/world-service.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import { createLog, type Log } from '../../shared/kernel/log.ts'
import type { Environment } from '../../shared/platform/process/environment.ts'
import { readLeaseHolder } from '../../shared/platform/process/lease-holder.ts'
import type { DynamoTarget } from '../../shared/platform/storage/dynamodb/dynamodb-target.ts'
import type { ChunkPos } from '../../shared/rules/positions.ts'
import { openServices } from '../../shared/services/services.ts'
import { discardImport, openTablesStage } from './open-tables-stage.ts'

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

const slowLeaseMs = 2000
const slowLease = 'The world last ran on another machine. Checking for up to 15 s whether it still does.\n'

/** Deletes chunks from the tables. Loaded on demand: operators with a data folder do not need the large client. */
const openEraser = async (target: DynamoTarget, parts: { readonly ids: Ids; readonly log: Log }) => {
  const { createDynamo, taskPatience } = await import('../../shared/platform/storage/dynamodb/dynamodb-client.ts')
  const { eraseChunks } = await import('../../shared/domain/worlds/store/dynamodb/erase-chunks.ts')
  const dynamo = createDynamo({ target, ...parts, ...taskPatience })
  return { erase: (world: WorldRef) => eraseChunks(dynamo, world), close: () => dynamo.close() }
}

/**
 * The worlds of the server, in the data folder or in DynamoDB. Logs only errors: commands print the rest themselves, and
 * `complain` reports a wait.
 */
export const openWorldTask = async (environment: Environment, complain: (text: string) => void): Promise<WorldTask> => {
  const { dataDir, logLevel } = environment
  const log = createLog(logLevel === 'info' || logLevel === 'warn' ? 'error' : logLevel, 'gatehouse-task')
  const services = await openServices(environment, log)
  const { store, chunks, worlds, clock, ids, configs } = services
  const worldsDir = join(dataDir, 'worlds')
  const openChunks = (path: string) => createLmdbChunkStore({ path })
  const blocks = configs.get('blocks.yaml')
  const lease = async ({ name }: WorldRef) => {
    const holder = await readLeaseHolder(dataDir)
    const patience = setTimeout(() => complain(slowLease), slowLeaseMs)
    try {
      const lockPath = join(worldsDir, `${name}.lease`)
      return await acquireLease({ store, clock, ids, log, worldName: name, lockPath, holder })
    } finally {
      clearTimeout(patience)
    }
  }
  const eraser = environment.dynamodb && (await openEraser(environment.dynamodb, { ids, log }))
  const tables = {
    store,
    worlds,
    chunks,
    ids,
    acquireLease: lease,
    // A data folder has its imports elsewhere, so there is nothing to delete.
    eraseChunks: async (world: WorldRef, fence: number) => {
      if (eraser === undefined) return
      await chunks.putMany(world, [], fence)
      await eraser.erase(world)
    },
  }
  const folder = { worldsDir, store, worlds, ids, acquireLease: lease, openChunks }
  return {
    worlds,
    chunks,
    clock,
    jobs: services.jobs,
    runJob: (id, kind) => runStoredJob({ store, clock, log, ids }, id, kind),
    createRegistry: () => registryOf(blocks),
    acquireLease: lease,
    moduleStates: createWorldStates(store),
    openPool: (world) => createGenerationPool({ world, blocks, threads: availableParallelism() }),
    openStage: (name) => (eraser === undefined ? openStage(folder, name) : openTablesStage(tables, name)),
    listImports: () => listImports(store),
    discardImport: (world) => discardImport(tables, world),
    ...createWorldMoves({
      store,
      worlds,
      chunks,
      clock,
      ids,
      dataDir,
      acquireLease: lease,
      activeNames: environment.worldNames,
      zones: services.zones,
      jobs: services.jobs,
      accountStore: services.accountStore,
      events: services.events,
      eraseTables: eraser === undefined ? undefined : tables.eraseChunks,
    }),
    close: async () => {
      eraser?.close()
      await services.close()
    },
  }
}
