import type { WorldgenConfig } from '../../configs/worldgen-config.ts'
import { type Biome, decideBiome, freezing } from './biomes.ts'
import { createLand, type LandLattice } from './land-lattice.ts'
import type { Land } from './land-shape.ts'
import type { SeedWords } from './seeded-random.ts'
import type { TerrainBlocks } from './terrain-blocks.ts'
import { createPlaneNoise } from './terrain-noise.ts'

/** The ground at one place. */
export type Ground = {
  /** Height of its highest block, before any cave. */
  y: number
  top: number
  /** What lies under the top, `fillerDepth` deep. */
  filler: number
  fillerDepth: number
  /** What lies under the filler, three deep. */
  base: number
  /** Whether water here has ice on it. */
  isFrozen: boolean
  /** Whether caves may come out here. */
  isOpen: boolean
  /** What grows here; nothing does where it is undefined. */
  growing: Biome | undefined
}

/** How far the unevenness of single blocks moves the ground up or down, at the most. */
export const unevennessMax = 2

/** Writes what the ground is like at a block that the lattice covers. */
export type ReadGround = (lattice: LandLattice, x: number, z: number, ground: Ground) => void

/** Ground to write into. */
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

type Place = {
  readonly x: number
  readonly z: number
  readonly land: Land
  readonly unevenness: number
  readonly steepness: number
}

const lay = (ground: Ground, top: number, filler: number, fillerDepth: number): void => {
  ground.top = top
  ground.filler = filler
  ground.fillerDepth = fillerDepth
}

/** Reads the ground from the land: what it is made of by biome, height, steepness and how near the water is. */
export const createReadGround = (seed: SeedWords, settings: WorldgenConfig, blocks: TerrainBlocks): ReadGround => {
  const { seaLevel, terrain, biomes } = settings
  const fine = createPlaneNoise(seed, { stream: 20, octaves: 1, width: 13 })
  const patches = createPlaneNoise(seed, { stream: 21, octaves: 2, width: 34 })
  const evenness = Math.min(1, terrain.amplitude)
  const land = createLand()

  const layBottom = (ground: Ground, { x, z, land: { swamp, inland } }: Place) => {
    const patch = patches(x, z)
    const depth = seaLevel - ground.y
    if (swamp > 0.3) lay(ground, patch > 0.1 ? blocks.clay : blocks.dirt, blocks.dirt, 3)
    else if (patch > 0.42) lay(ground, blocks.clay, blocks.clay, 2)
    else if (depth > 9 + patch * 8 || (inland > 0.1 && patch < -0.1)) lay(ground, blocks.gravel, blocks.gravel, 3)
    else lay(ground, blocks.sand, blocks.sand, 4)
  }
  const layRock = (ground: Ground, { x, z }: Place) => {
    if (patches(x, z) > 0.4) lay(ground, blocks.gravel, blocks.gravel, 2)
    else lay(ground, blocks.stone, blocks.stone, 3)
  }
  const laySoil = (ground: Ground, place: Place, biome: Biome) => {
    const { unevenness, steepness } = place
    const isSandy = biome.ground === 'sand' || biome.ground === 'red_sand'
    ground.base = isSandy ? blocks.sandstone : blocks.stone
    const isCliff = steepness > 1.15 + unevenness * 0.25
    if (isCliff && isSandy) lay(ground, blocks.sandstone, blocks.sandstone, 4)
    else if (isCliff || biome.ground === 'rock') layRock(ground, place)
    else if (isSandy)
      lay(ground, blocks[biome.ground === 'sand' ? 'sand' : 'red_sand'], blocks[biome.ground === 'sand' ? 'sand' : 'red_sand'], 4)
    else lay(ground, biome.ground === 'snow' ? blocks.snow : blocks.grass, blocks.dirt, 3)
    const snowFrom = biomes.snowLine + unevenness * 6 + Math.max(0, place.land.temperature) * 16
    if (ground.y >= snowFrom && steepness < 1.7 + unevenness * 0.4) ground.top = blocks.snow
    if (!isCliff && ground.y < snowFrom + 4) ground.growing = biome
  }

  return (lattice, x, z, ground) => {
    lattice.read(x, z, land)
    const unevenness = fine(x, z)
    const place = { x, z, land, unevenness, steepness: lattice.steepness(x, z) }
    ground.y = Math.floor(land.height + unevenness * evenness * (0.45 + 1.3 * land.mountain))
    ground.base = blocks.stone
    ground.isFrozen = land.temperature + unevenness * 0.02 < freezing
    ground.isOpen = land.opening > 0
    ground.growing = undefined
    const aboveSea = ground.y - seaLevel
    if (aboveSea < 0) layBottom(ground, place)
    else if (land.inland < 0.055 + unevenness * 0.012 && aboveSea <= 2) lay(ground, blocks.sand, blocks.sand, 4)
    else laySoil(ground, place, decideBiome(land, aboveSea, unevenness))
    if (ground.isOpen) ground.growing = undefined
  }
}
