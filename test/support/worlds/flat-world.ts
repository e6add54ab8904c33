import { createNodeWorld, type NodeWorld } from '../../../realtime/world/node-world.ts'
import type { HistoryBook } from '../../../shared/domain/history/history-book.ts'
import type { BlocksConfig } from '../../../shared/domain/worlds/blocks-config.ts'
import { registryOf } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createGenerator } from '../../../shared/domain/worlds/generation/generators.ts'
import type { ChunkStore } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'

export const flatBlocks: BlocksConfig = {
  blocks: [
    { id: 'stone', name: 'Stone', colour: '#808080', solid: true },
    { id: 'grass', name: 'Grass', colour: '#60a040', solid: true },
    { id: 'water', name: 'Water', colour: '#3050c0', solid: false },
  ],
}

/** Stone, and grass from 63 to 64: the feet of players on it are at 64. */
export const flatRecord: WorldRecord = {
  id: '7b7a3c5e-6a4e-4b1c-9d5e-0f3a2b1c4d5e',
  name: 'default',
  seed: 7,
  createdAt: '2026-11-20T00:00:00.000Z',
  generator: 'flat-1',
  settings: {
    flat: {
      layers: [
        { block: 'stone', height: 63 },
        { block: 'grass', height: 1 },
      ],
    },
  },
}

export type FlatWorldOptions = {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly chunks?: ChunkStore
  readonly history?: HistoryBook
}

/** A flat world in memory that is generated synchronously. */
export const createFlatWorld = ({
  store,
  clock,
  log,
  chunks = createMemoryChunkStore(),
  history,
}: FlatWorldOptions): NodeWorld => {
  const registry = registryOf(flatBlocks)
  const { seed, generator, settings } = flatRecord
  const terrain = createGenerator({ version: generator, seed, settings, registry })
  return createNodeWorld({
    record: flatRecord,
    blocks: flatBlocks,
    chunks,
    store,
    generation: { generate: async ({ cx, cz }) => encodeChunk(terrain.generate(cx, cz), registry) },
    lease: { fence: 1, isHeld: () => true, isLost: () => false },
    ...(history && { history }),
    clock,
    log,
  })
}
