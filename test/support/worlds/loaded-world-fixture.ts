import type { ChunkGeneration } from '../../../realtime/world/columns/column-generation.ts'
import { createLoadedWorld } from '../../../realtime/world/columns/create-loaded-world.ts'
import type { ChunkWriter } from '../../../realtime/world/writing/chunk-writer.ts'
import { type BlockRegistry, createBlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createFlatGenerator } from '../../../shared/domain/worlds/generation/flat-generator.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { type Chunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { type ChunkPos, chunkKey } from '../../../shared/rules/positions.ts'
import { createFixedClock } from '../time/fixed-clock.ts'
import { createCapturedLog } from '../time/silent-log.ts'

const block = (id: string) => ({ id, name: id, colour: 0x808080, solid: true })

export const testWorld = { name: 'test', id: '7c8f7f0e-5f1b-4f1e-9a55-0f0a5c0f0e01' }

export const createTestRegistry = (): BlockRegistry =>
  createBlockRegistry(['bedrock', 'stone', 'dirt', 'grass', 'planks'].map(block))

/** Flat land with one block on top that marks the column. */
export const createMarkedTerrain = (registry: BlockRegistry): ((pos: ChunkPos) => Chunk) => {
  const layers = [
    { block: 'bedrock', height: 1 },
    { block: 'stone', height: 60 },
    { block: 'grass', height: 1 },
  ]
  const flat = createFlatGenerator({ flat: { layers } }, registry)
  return ({ cx, cz }) => {
    const chunk = flat.generate(cx, cz)
    setBlock(chunk, { x: cx & 15, y: 64 + (((cx >> 4) * 31 + (cz >> 4) * 7) & 63), z: cz & 15 }, registry.intern('planks'))
    return chunk
  }
}

/** Generation in this process: immediate, or manual while `isHeldBack`; `asked` lists every request in order. */
export const createHandGeneration = (registry: BlockRegistry) => {
  const terrain = createMarkedTerrain(registry)
  const waiting: { pos: ChunkPos; distance: () => number; finish: (bytes?: Uint8Array) => void; fail: (error: Error) => void }[] =
    []
  const asked: ChunkPos[] = []
  const aborted: ChunkPos[] = []
  const state = { isHeldBack: false }
  const recordOf = (pos: ChunkPos) => encodeChunk(terrain(pos), registry)
  const generation: ChunkGeneration = {
    generate: (pos, { distance, signal }) => {
      asked.push(pos)
      if (!state.isHeldBack) return Promise.resolve(recordOf(pos))
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(pos)
          reject(signal.reason)
        })
        waiting.push({ pos, distance, finish: (bytes) => resolve(bytes ?? recordOf(pos)), fail: reject })
      })
    },
  }
  return { ...generation, state, waiting, asked, aborted, terrain, recordOf }
}

/** A loaded world over stores in memory with manual ticks; writes go directly to the store. */
export const createLoadedWorldFixture = () => {
  const registry = createTestRegistry()
  const chunks = createMemoryChunkStore()
  const generation = createHandGeneration(registry)
  const clock = createFixedClock()
  const { log, lines } = createCapturedLog()
  const reads: ChunkPos[][] = []
  const faults = { read: undefined as Error | undefined, setAside: undefined as Error | undefined, readOf: new Set<number>() }
  const writes = { error: undefined as Error | undefined, held: undefined as Promise<void> | undefined }
  const writer: Pick<ChunkWriter, 'writeRecords'> = {
    writeRecords: async (records) => {
      await writes.held
      if (writes.error !== undefined) throw writes.error
      await chunks.putMany(testWorld, records, 1)
    },
  }
  const world = createLoadedWorld({
    world: testWorld,
    chunks: {
      getMany: async (ref, positions) => {
        reads.push([...positions])
        if (faults.read !== undefined) throw faults.read
        if (positions.some(({ cx, cz }) => faults.readOf.has(chunkKey(cx, cz)))) throw new Error('a bad page')
        return chunks.getMany(ref, positions)
      },
      setAside: async (ref, pos, fence) => {
        if (faults.setAside !== undefined) throw faults.setAside
        return chunks.setAside(ref, pos, fence)
      },
    },
    registry,
    generation,
    writer,
    fence: 1,
    log,
    clock,
  })

  /** Lets pending work continue as far as it does without a tick. */
  const drain = () => new Promise<void>((resolve) => setImmediate(resolve))

  return {
    registry,
    chunks,
    generation,
    clock,
    lines,
    reads,
    faults,
    writes,
    world,
    drain,
    /** Runs ticks of 50 ms, each after all pending work. */
    ticks: async (count: number, after: () => void = () => {}) => {
      for (let i = 0; i < count; i += 1) {
        await drain()
        clock.advance(50)
        world.step()
        after()
      }
    },
    /** Writes a record to the store directly. */
    put: (pos: ChunkPos, bytes: Uint8Array) => chunks.putMany(testWorld, [{ ...pos, bytes }], 1),
    close: async () => {
      await world.close()
      await chunks.close()
    },
  }
}

export type LoadedWorldFixture = ReturnType<typeof createLoadedWorldFixture>
