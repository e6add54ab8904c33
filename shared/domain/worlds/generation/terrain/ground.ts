import type { WorldgenConfig } from '../worldgen-config.ts'
import { type Biome, decideBiome, freezing } from './biomes.ts'
import { createLand, type LandLattice } from './land-lattice.ts'
import type { TerrainBlocks } from './terrain-blocks.ts'

/** The ground at one place. */
export type Ground = {
  /** The height of its highest block, before any cave. */
  y: number
  top: number
  /** The material under the top, `fillerDepth` deep. */
  filler: number
  fillerDepth: number
  /** The material under the filler, three deep. */
  base: number
  /** Whether water here has ice on it. */
  isFrozen: boolean
  /** Whether caves may open to the sky here. */
  isOpen: boolean
  /** The biome whose plants grow here; undefined without plants. */
  growing: Biome | undefined
}

/** The maximum distance by which unevenness moves the ground up or down. */
export const unevennessMax = 2

/** Writes the ground at a block of the lattice into `ground`. */
export type ReadGround = (lattice: LandLattice, x: number, z: number, ground: Ground) => void

/** A Ground value to write into. */
export const createGround = (): Ground => ({
  y: 0,
  top: 0,
  filler: 0,
  fillerDepth: 0,
  base: 0,
  isFrozen: false,
  isOpen: false,
  growing: undefined,
})

const lay = (ground: Ground, top: number, filler: number, fillerDepth: number): void => {
  ground.top = top
  ground.filler = filler
  ground.fillerDepth = fillerDepth
}

/** Derives the ground from the land. Its material depends on biome, height, slope and distance from water. */
export const createReadGround = (settings: WorldgenConfig, blocks: TerrainBlocks): ReadGround => {
  const { seaLevel, terrain, biomes } = settings
  const evenness = Math.min(1, terrain.amplitude)
  const land = createLand()

  const layBottom = (ground: Ground) => {
    const { patch } = land
    const depth = seaLevel - ground.y
    if (land.swamp > 0.3) lay(ground, patch > 0.1 ? blocks.clay : blocks.dirt, blocks.dirt, 3)
    else if (patch > 0.42) lay(ground, blocks.clay, blocks.clay, 2)
    else if (depth > 9 + patch * 8 || (land.inland > 0.1 && patch < -0.1)) lay(ground, blocks.gravel, blocks.gravel, 3)
    else lay(ground, blocks.sand, blocks.sand, 4)
  }
  const layRock = (ground: Ground) => {
    if (land.patch > 0.4) lay(ground, blocks.gravel, blocks.gravel, 2)
    else lay(ground, blocks.stone, blocks.stone, 3)
  }
  const laySand = (ground: Ground, sand: number, isCliff: boolean) => {
    ground.base = blocks.sandstone
    const block = isCliff ? blocks.sandstone : sand
    lay(ground, block, block, 4)
  }
  const laySoil = (ground: Ground, biome: Biome, steepness: number) => {
    const { unevenness } = land
    const isCliff = steepness > 1.4 + unevenness * 0.25
    if (biome.ground === 'sand') laySand(ground, blocks.sand, isCliff)
    else if (biome.ground === 'red_sand') laySand(ground, blocks.red_sand, isCliff)
    else if (isCliff || biome.ground === 'rock') layRock(ground)
    else lay(ground, biome.ground === 'snow' ? blocks.snow : blocks.grass, blocks.dirt, 3)
    const snowFrom = biomes.snowLine + unevenness * 6 + Math.max(0, land.temperature) * 16
    if (ground.y >= snowFrom && steepness < 1.7 + unevenness * 0.4) ground.top = blocks.snow
    if (!isCliff && !ground.isOpen && ground.y < snowFrom + 4) ground.growing = biome
  }

  return (lattice, x, z, ground) => {
    lattice.read(x, z, land)
    const { unevenness } = land
    ground.y = Math.floor(land.height + unevenness * evenness * (0.45 + 1.3 * land.mountain))
    ground.base = blocks.stone
    ground.isFrozen = land.temperature + unevenness * 0.02 < freezing
    ground.isOpen = land.opening > 0
    ground.growing = undefined
    const aboveSea = ground.y - seaLevel
    if (aboveSea < 0) layBottom(ground)
    else if (land.inland < 0.055 + unevenness * 0.012 && aboveSea <= 2) lay(ground, blocks.sand, blocks.sand, 4)
    else laySoil(ground, decideBiome(land, aboveSea), lattice.steepness(x, z))
  }
}
