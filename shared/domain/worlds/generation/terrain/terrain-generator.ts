import { createChunk } from '../../../../rules/chunks/chunk.ts'
import { chunkBlocks, sectionsPerChunk, worldHeight } from '../../../../rules/positions.ts'
import type { BlockRegistry } from '../../chunks/block-registry.ts'
import { createSectionPacker } from '../../chunks/compress-chunk.ts'
import type { Generator } from '../generator.ts'
import type { WorldgenConfig } from '../worldgen-config.ts'
import { createCaves } from './caves.ts'
import { createColumnFill } from './column-fill.ts'
import { createReadGround } from './ground.ts'
import { latticeBlocks } from './interpolate.ts'
import { createLandLattice } from './land-lattice.ts'
import { createLandShape } from './land-shape.ts'
import { createOres } from './ores.ts'
import { plantHeight } from './plants.ts'
import { splitSeed } from './seeded-random.ts'
import { createSurface } from './surface.ts'
import { type Column, createTerrainBlocks } from './terrain-blocks.ts'
import { createVegetation } from './vegetation.ts'

export type TerrainOptions = { readonly seed: number; readonly settings: WorldgenConfig; readonly registry: BlockRegistry }

/** The lattice points of a column, one cell around it, and the far edge. */
const columnPoints = chunkBlocks / latticeBlocks + 3

/**
 * `terrain-1`: continents, hills, mountains, rivers, caves, ores and trees. Frozen: a seed and settings always make the same blocks,
 * which golden hashes in the tests check. A change of terrain needs a new version.
 */
export const createTerrainGenerator = ({ seed: number, settings, registry }: TerrainOptions): Generator => {
  const seed = splitSeed(number)
  const blocks = createTerrainBlocks(registry)
  const shape = createLandShape(seed, settings)
  const readGround = createReadGround(settings, blocks)
  const caves = createCaves(seed, settings, blocks)
  const fill = createColumnFill({ seed, settings, blocks, readGround })
  const placeOres = createOres({ seed, settings, blocks })
  const plant = createVegetation({ seed, settings, blocks, readGround })
  const lattice = createLandLattice(shape, columnPoints)
  const column: Column = new Uint8Array(worldHeight * chunkBlocks * chunkBlocks)
  const pack = createSectionPacker({ blocks: column, indexes: blocks.indexes })
  const caveTops = new Int16Array(chunkBlocks * chunkBlocks)

  return {
    generate: (cx, cz) => {
      const x = cx * chunkBlocks
      const z = cz * chunkBlocks
      lattice.move(x - latticeBlocks, z - latticeBlocks)
      const highest = fill({ lattice, x, z, column, caveTops })
      placeOres(cx, cz, column)
      caves.carve(x, z, caveTops, column)
      plant(lattice, x, z, column)
      const chunk = createChunk(cx, cz)
      const sections = Math.min(sectionsPerChunk, Math.ceil((highest + 1 + plantHeight) / chunkBlocks))
      for (let section = 0; section < sections; section += 1) chunk.sections[section] = pack(section)
      return chunk
    },
    surfaceAt: createSurface({ settings, registry, shape, readGround, caves }),
    seaLevel: settings.seaLevel,
  }
}
