import { join } from 'node:path'
import { createMemoryAccountStore } from '../../../../shared/domain/accounts/store/memory-account-store.ts'
import { createStoreAuditLog } from '../../../../shared/domain/audit/store-audit-log.ts'
import { createJobService } from '../../../../shared/domain/jobs/job-service.ts'
import { runStoredJob } from '../../../../shared/domain/jobs/run-job.ts'
import { createWorldStates } from '../../../../shared/domain/modules/data/world-states.ts'
import { createWorldMoves } from '../../../../shared/domain/world-moves/files/create-world-moves.ts'
import { openStage, type StageDeps } from '../../../../shared/domain/world-moves/files/import/open-stage.ts'
import type { MoveDeps } from '../../../../shared/domain/world-moves/world-moves.ts'
import { registryOf } from '../../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createWorldService } from '../../../../shared/domain/worlds/create-world-service.ts'
import { createGenerator } from '../../../../shared/domain/worlds/generation/generators.ts'
import { acquireLease } from '../../../../shared/domain/worlds/leases/acquire-lease.ts'
import type { WorldRef } from '../../../../shared/domain/worlds/store/chunk-store.ts'
import { createLmdbChunkStore } from '../../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { listImports } from '../../../../shared/domain/worlds/world-names.ts'
import { createZoneService } from '../../../../shared/domain/zones/create-zone-service.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../../shared/platform/events/memory-events.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import type { WorldTask } from '../../../../tools/world/open-world-task.ts'
import { runWorld } from '../../../../tools/world/run-world.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

/** The output and exit code of a command. */
export type Ran = { readonly exit: number; readonly out: string; readonly err: string }

/** Worlds in LMDB in a folder of their own, records in memory, and terrain generated in this thread. `run` runs a command on them. */
export const openStoredTask = async () => {
  const { path: dataDir, remove } = await createTempDir()
  const worldsDir = join(dataDir, 'worlds')
  const [store, configs, clock, ids] = [createMemoryStore(), createFixedConfigs(), createFixedClock(), systemIds]
  const openChunks = (path: string) => createLmdbChunkStore({ path })
  const chunks = openChunks(worldsDir)
  const worlds = createWorldService({ store, chunks, configs, clock, ids, activeName: 'default' })
  const blocks = configs.get('blocks.yaml')
  const holder = { name: 'a test', machineId: 'here', pid: process.pid }
  const lease = ({ name }: WorldRef, holderName = holder.name) =>
    acquireLease({
      store,
      clock,
      ids,
      log: silentLog,
      worldName: name,
      lockPath: join(worldsDir, `${name}.lease`),
      holder: { ...holder, name: holderName },
    })
  const events = createMemoryEventBus({ log: silentLog })
  const jobs = createJobService({ store, events, clock, ids })
  const accountStore = createMemoryAccountStore({ isAdministrator: () => false, audit: createStoreAuditLog(store) })
  const zones = createZoneService({ store, chunks, worlds, configs, events, clock, ids, log: silentLog })
  const moveDeps: MoveDeps = {
    store,
    worlds,
    chunks,
    zones,
    jobs,
    accountStore,
    events,
    clock,
    ids,
    dataDir,
    activeNames: ['default'],
    acquireLease: (world) => lease(world),
    eraseTables: undefined,
  }
  const stageDeps: StageDeps = { worldsDir, store, worlds, ids, acquireLease: (world) => lease(world), openChunks }
  const task: WorldTask = {
    worlds,
    chunks,
    clock,
    jobs,
    runJob: (id, kind) => runStoredJob({ store, clock, ids, log: silentLog }, id, kind),
    createRegistry: () => registryOf(blocks),
    acquireLease: (world) => lease(world),
    moduleStates: createWorldStates(store),
    openPool: (world) => {
      const registry = registryOf(blocks)
      const generator = createGenerator({ version: world.generator, seed: world.seed, settings: world.settings, registry })
      return {
        generate: async ({ cx, cz }, { signal }) => {
          clock.advance(1)
          signal.throwIfAborted()
          return encodeChunk(generator.generate(cx, cz), registry)
        },
        close: async () => undefined,
      }
    },
    openStage: (name) => openStage(stageDeps, name),
    listImports: () => listImports(store),
    discardImport: async () => undefined,
    ...createWorldMoves(moveDeps),
    close: async () => undefined,
  }
  const run = async (
    args: readonly string[],
    { signal = new AbortController().signal, with: changed = {} }: RunOptions = {},
  ): Promise<Ran> => {
    const output = { out: '', err: '' }
    const exit = await runWorld({
      args,
      openTask: async () => ({ ...task, ...changed }),
      print: (text) => {
        output.out += text
      },
      complain: (text) => {
        output.err += text
      },
      begin: () => ({ advance: () => undefined, end: () => undefined }),
      signal,
    })
    return { exit, ...output }
  }
  return {
    store,
    task,
    run,
    dataDir,
    worldsDir,
    lease,
    stageDeps,
    zones,
    accountStore,
    moveDeps,
    close: async () => {
      await chunks.close()
      await remove()
    },
  }
}

type RunOptions = { readonly signal?: AbortSignal; readonly with?: Partial<WorldTask> }

export type StoredTask = Awaited<ReturnType<typeof openStoredTask>>
