import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import type { ChunkRecord } from '../../shared/domain/worlds/store/chunk-store.ts'
import { chunkBlocks } from '../../shared/rules/positions.ts'
import type { Services } from '../../shared/services/wire-services.ts'

const batchMax = 512

/** Columns beyond the walk in the view of players at its edge. */
const marginColumns = 12

/** Writes settings of a world that is level at the height of the walk. */
export const writeLevelGround = async (dataDir: string): Promise<void> => {
  await mkdir(join(dataDir, 'config'))
  const layers = '[{ block: stone, height: 63 }, { block: grass, height: 1 }]'
  await writeFile(join(dataDir, 'config', 'worldgen.yaml'), `generator: flat-1\nflat: { layers: ${layers} }\n`)
}

/** Generates every column of the walk and its surroundings, so that a measurement of views generates nothing. */
export const generateLevelGround = async ({ worlds, chunks, configs }: Services, sideBlocks: number): Promise<void> => {
  const world = await worlds.ensureActive()
  const registry = registryOf(configs.get('blocks.yaml'))
  const generator = createGenerator({ version: world.generator, seed: world.seed, settings: world.settings, registry })
  const reach = Math.ceil(sideBlocks / 2 / chunkBlocks) + marginColumns
  let batch: ChunkRecord[] = []
  for (let cx = -reach; cx <= reach; cx += 1)
    for (let cz = -reach; cz <= reach; cz += 1) {
      batch.push({ cx, cz, bytes: encodeChunk(generator.generate(cx, cz), registry) })
      if (batch.length < batchMax && (cx < reach || cz < reach)) continue
      await chunks.putMany(world, batch, 0)
      batch = []
    }
}
