import type { HistoryBook } from '../../shared/domain/history/history-book.ts'
import type { BlocksConfig } from '../../shared/domain/worlds/blocks-config.ts'
import { type BlockRegistry, registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import type { ChunkStore } from '../../shared/domain/worlds/store/chunk-store.ts'
import type { WorldRecord } from '../../shared/domain/worlds/world.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import { createTickTimes, type TickTimes } from '../metrics/tick-times.ts'
import type { ChunkGeneration } from './columns/column-generation.ts'
import { createLoadedWorld } from './columns/create-loaded-world.ts'
import type { LoadedWorld } from './columns/loaded-world.ts'
import { createPositionSaver, type PositionSaver } from './position-saver.ts'
import { createSpawn, type Spawn } from './spawn.ts'
import { createChunkFrames } from './streaming/chunk-frames.ts'
import { type ChunkStreaming, createChunkStreaming } from './streaming/chunk-streaming.ts'
import { createWorldControl } from './world-control.ts'
import type { WorldControl } from './world-of-node.ts'
import { createChunkWriter, type EditWriter } from './writing/chunk-writer.ts'
import { createStoredTiles, type StoredTiles } from './writing/stored-tiles.ts'

/** The world of a node: its columns in memory, storage and clients. Owned by the game loop. */
export type NodeWorld = {
  readonly record: WorldRecord
  readonly registry: BlockRegistry
  readonly loaded: LoadedWorld
  readonly writer: EditWriter
  readonly storedTiles: StoredTiles
  readonly streaming: ChunkStreaming
  readonly places: PositionSaver
  readonly spawn: Spawn
  readonly tickTimes: TickTimes
  readonly control: WorldControl
  /** After the last tick: finishes pending writes, and releases all resources. */
  close(): Promise<void>
}

export type NodeWorldDeps = {
  readonly record: WorldRecord
  readonly blocks: BlocksConfig
  readonly chunks: ChunkStore
  readonly store: Store
  readonly history?: HistoryBook
  readonly generation: ChunkGeneration
  readonly lease: Pick<WorldLease, 'fence' | 'isHeld' | 'isLost'>
  readonly clock: Clock
  readonly log: Log
}

/** Throws AppError `unavailable`, slug `world-unusable`, if this server cannot generate the terrain of the world. */
export const createNodeWorld = (deps: NodeWorldDeps): NodeWorld => {
  const { record, blocks, chunks, store, generation, lease, clock, log, history } = deps
  const registry = registryOf(blocks)
  const generator = createGenerator({ version: record.generator, seed: record.seed, settings: record.settings, registry })
  const storedTiles = createStoredTiles()
  const writer = createChunkWriter({
    chunks,
    world: record,
    fence: lease.fence,
    lease,
    registry,
    log,
    ...(history && { history }),
    stored: storedTiles.note,
  })
  const { fence } = lease
  const loaded = createLoadedWorld({ world: record, chunks, registry, generation, writer, fence, log, clock })
  const places = createPositionSaver({ store, worldId: record.id, lease, log })
  const spawn = createSpawn({ generator, loaded, at: record.spawn })
  const tickTimes = createTickTimes()
  const streaming = createChunkStreaming({ loaded, frames: createChunkFrames(registry), clock })
  const control = createWorldControl({ record, chunks, loaded, writer, places, tickTimes, clock })
  return {
    record,
    registry,
    loaded,
    writer,
    storedTiles,
    streaming,
    places,
    spawn,
    tickTimes,
    control,
    close: async () => {
      await loaded.close()
      await writer.close()
      // The rest must run even after a failure. The place keeper logs it.
      await places.flush().catch(() => 0)
    },
  }
}
