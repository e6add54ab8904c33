import { chunkBlocks } from '../../../../rules/positions.ts'
import type { WorldgenConfig } from '../worldgen-config.ts'
import { createGround, type ReadGround } from './ground.ts'
import type { LandLattice } from './land-lattice.ts'
import { createPlanter, plantReach } from './plants.ts'
import { createPlaceHash, type SeedWords } from './seeded-random.ts'
import type { Column, TerrainBlocks } from './terrain-blocks.ts'

/** Each square of this many blocks has room for one plant. */
const plot = 4

const isNear = (offset: number): boolean => offset >= -plantReach && offset < chunkBlocks + plantReach

type VegetationDeps = {
  readonly seed: SeedWords
  readonly settings: WorldgenConfig
  readonly blocks: TerrainBlocks
  readonly readGround: ReadGround
}

/**
 * The plants of one world. They depend only on the place. So each column finds the crowns that reach over from its neighbours without
 * generating those. The lattice must cover one plot around the column.
 */
export const createVegetation = ({ seed, settings, blocks, readGround }: VegetationDeps) => {
  const { density } = settings.trees
  const chanceAt = createPlaceHash(seed, 40)
  const bitsAt = createPlaceHash(seed, 41)
  const plant = createPlanter(blocks)
  const ground = createGround()

  const growPlot = (lattice: LandLattice, column: Column, corner: { x: number; z: number; plotX: number; plotZ: number }) => {
    const bits = bitsAt(corner.plotX, corner.plotZ)
    const chance = (chanceAt(corner.plotX, corner.plotZ) >>> 0) / 4_294_967_296
    // Above the chance in the densest biome: most plots need not read the ground.
    if (chance >= density * 0.55) return
    const x = corner.plotX * plot + ((bits >>> 16) % 3)
    const z = corner.plotZ * plot + ((bits >>> 20) % 3)
    if (!isNear(x - corner.x) || !isNear(z - corner.z)) return
    readGround(lattice, x, z, ground)
    const growth = ground.growing?.growth
    if (growth === undefined || chance >= growth.chance * density) return
    const kind = growth.kinds[(bits >>> 26) % growth.kinds.length]
    if (kind !== undefined) plant(column, { kind, x: x - corner.x, y: ground.y + 1, z: z - corner.z, bits })
  }

  return (lattice: LandLattice, x: number, z: number, column: Column): void => {
    if (density === 0) return
    for (let plotZ = z / plot - 1; plotZ <= z / plot + chunkBlocks / plot; plotZ += 1)
      for (let plotX = x / plot - 1; plotX <= x / plot + chunkBlocks / plot; plotX += 1)
        growPlot(lattice, column, { x, z, plotX, plotZ })
  }
}
