import { workerData } from 'node:worker_threads'
import { move } from 'piscina'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import type { ChunkPos } from '../../shared/rules/positions.ts'
import type { GenerationWorkerData } from './generation-worker-data.ts'

const createColumnMaker = ({ world, blocks }: GenerationWorkerData) => {
  const registry = registryOf(blocks)
  const generator = createGenerator({ version: world.generator, seed: world.seed, settings: world.settings, registry })
  return ({ cx, cz }: ChunkPos) => move(encodeChunk(generator.generate(cx, cz), registry))
}

/** Runs in a worker thread. Generates the encoded record of a column, whose bytes are transferred, not copied. */
export const generateColumn = createColumnMaker(workerData)
