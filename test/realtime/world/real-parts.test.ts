import { afterEach, describe, expect, it } from '@jest/globals'
import { createGenerationPool } from '../../../realtime/workers/generation-pool.ts'
import type { ChunkGeneration } from '../../../realtime/world/columns/column-generation.ts'
import { createLoadedWorld } from '../../../realtime/world/columns/create-loaded-world.ts'
import { createChunkFrames } from '../../../realtime/world/streaming/chunk-frames.ts'
import { createChunkStreaming } from '../../../realtime/world/streaming/chunk-streaming.ts'
import { createChunkWriter } from '../../../realtime/world/writing/chunk-writer.ts'
import { catalogue } from '../../../shared/domain/configs/catalogue.ts'
import { registryOf } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { createGenerator } from '../../../shared/domain/worlds/generation/generators.ts'
import { createLmdbChunkStore } from '../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { chunkPosOf } from '../../../shared/rules/positions.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { type ColumnsModel, createColumnsModel } from '../../support/realtime/columns-model.ts'
import { readMessages } from '../../support/realtime/split-frames.ts'
import { hasSameBlocks } from '../../support/realtime/streaming-fixture.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { testWorld } from '../../support/worlds/loaded-world-fixture.ts'

const parsed = catalogue['blocks.yaml'].parse({})
if (!parsed.ok) throw new Error('the shipped blocks are not valid')
const blocks = parsed.value
const terrain = { seed: 11, generator: 'terrain-1', settings: {} }

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const openWorld = (path: string, generation: ChunkGeneration) => {
  const registry = registryOf(blocks)
  const chunks = createLmdbChunkStore({ path })
  const writer = createChunkWriter({ chunks, world: testWorld, fence: 1, registry, log: silentLog })
  const world = createLoadedWorld({
    world: testWorld,
    chunks,
    registry,
    generation,
    writer,
    fence: 1,
    log: silentLog,
    clock: systemClock,
  })
  const streaming = createChunkStreaming({ loaded: world, frames: createChunkFrames(registry), clock: systemClock })
  let tick = 0
  const ticks = setInterval(() => {
    tick += 1
    world.step()
    streaming.step(tick)
  }, 5)
  return {
    registry,
    world,
    streaming,
    close: async () => {
      clearInterval(ticks)
      await world.close()
      await writer.close()
      await chunks.close()
    },
  }
}

const join = ({ streaming, registry }: ReturnType<typeof openWorld>): ColumnsModel => {
  const model = createColumnsModel((id) => registry.find(id)?.index ?? 1)
  const sendFrame = (frame: Uint8Array) => {
    for (const message of readMessages(frame)) model.apply(message)
    return 'written' as const
  }
  const sink = { kind: 'binary' as const, sendFrame, spareBytes: () => 256 * 1024 }
  streaming.open({ body: { x: 5, z: -5, yaw: 0 }, sink, viewRadius: 3 })
  return model
}

describe('a world of LMDB and worker threads', () => {
  it('is generated for the first player, and comes unchanged from the store for the next', async () => {
    const { path, remove } = await createTempDir()
    closers.push(remove)
    const pool = createGenerationPool({ world: terrain, blocks, threads: 1 })
    closers.push(pool.close)
    const first = openWorld(path, pool)
    closers.push(first.close)
    const seen = join(first)
    await waitFor(() => seen.columns.size === 49)
    await closers.pop()?.()

    const second = openWorld(path, { generate: () => Promise.reject(new Error('everything is in the store')) })
    closers.push(second.close)
    const again = join(second)
    await waitFor(() => again.columns.size === 49)
    const { generate } = createGenerator({ ...terrain, version: terrain.generator, registry: second.registry })
    for (const [key, chunk] of again.columns) {
      const { cx, cz } = chunkPosOf(key)
      expect(hasSameBlocks(chunk, generate(cx, cz))).toBe(true)
      expect(hasSameBlocks(chunk, seen.columns.get(key) ?? chunk)).toBe(true)
    }
  })
})
