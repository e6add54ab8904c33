import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createGenerationPool } from '../../realtime/workers/generation-pool.ts'
import { runStoredJob } from '../../shared/domain/jobs/run-job.ts'
import { createWorldStates } from '../../shared/domain/modules/data/world-states.ts'
import { createWorldMoves } from '../../shared/domain/world-moves/files/create-world-moves.ts'
import { openStage } from '../../shared/domain/world-moves/files/import/open-stage.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { acquireLease } from '../../shared/domain/worlds/leases/acquire-lease.ts'
import type { WorldRef } from '../../shared/domain/worlds/store/chunk-store.ts'
import { createLmdbChunkStore } from '../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { listImports } from '../../shared/domain/worlds/world-names.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import { createLog, type Log } from '../../shared/kernel/log.ts'
import type { Environment } from '../../shared/platform/process/environment.ts'
import { readLeaseHolder } from '../../shared/platform/process/lease-holder.ts'
import type { DynamoTarget } from '../../shared/platform/storage/dynamodb/dynamodb-target.ts'
import { openServices } from '../../shared/services/services.ts'
import { discardImport, openTablesStage } from './open-tables-stage.ts'
import type { WorldTask } from './world-task.ts'

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
