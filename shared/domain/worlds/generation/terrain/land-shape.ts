import type { WorldgenConfig } from '../worldgen-config.ts'
import { followLine, smoothStep } from './interpolate.ts'
import type { SeedWords } from './seeded-random.ts'
import { createPlaneNoise, createRidgeNoise } from './terrain-noise.ts'

/** The land at a place. */
export type Land = {
  /** The height of the ground in blocks, with a fraction, before unevenness. */
  height: number
  /** About -1 (far out at sea) to 1 (deep inland). */
  inland: number
  /** 0 (plains) to 1 (mountains). */
  mountain: number
  /** 0 to 1 (swamp). */
  swamp: number
  /** About -1 to 1 each. */
  temperature: number
  humidity: number
  /** Above 0, caves may open to the sky. */
  opening: number
  /** Changes over a few blocks, about -1 to 1. Moves the ground and frays the borders of biomes. */
  unevenness: number
  /** Selects the material at the bottom of the sea and on bare rock, about -1 to 1. */
  patch: number
}

/** The height above the sea by the distance inland. */
const coastLine = [
  [-0.9, -44],
  [-0.45, -26],
  [-0.16, -10],
  [-0.05, -2.5],
  [0, 0.6],
  [0.05, 3],
  [0.2, 7],
  [0.5, 15],
  [0.9, 24],
] as const

const riverBed = -3.6
const heightMin = 6
/** Above this height land gets flatter, so that trees fit below the top of the world. */
const heightSoft = 170
const heightMax = 235

const createNoises = (seed: SeedWords, { terrain, biomes }: WorldgenConfig) => {
  const plane = (stream: number, octaves: number, width: number, centred = false) =>
    createPlaneNoise(seed, { stream, octaves, width: width * terrain.scale, centred })
  return {
    warp: plane(1, 1, 190),
    continent: plane(2, 3, 1100, true),
    rise: plane(3, 2, 620),
    hills: plane(4, 2, 140),
    ridges: createRidgeNoise(seed, { stream: 5, octaves: 3, width: 330 * terrain.scale }),
    rivers: plane(7, 1, 520),
    puddles: plane(8, 2, 36),
    openings: plane(9, 1, 80),
    unevenness: createPlaneNoise(seed, { stream: 12, octaves: 1, width: 13 }),
    patches: createPlaneNoise(seed, { stream: 13, octaves: 1, width: 30 }),
    temperature: createPlaneNoise(seed, { stream: 10, octaves: 2, width: 900 * biomes.scale }),
    humidity: createPlaneNoise(seed, { stream: 11, octaves: 2, width: 700 * biomes.scale }),
  }
}

/** Lowers the ground towards a river, from farther away in mountains. */
const cutRiver = (height: number, fromRiver: number, mountain: number): number => {
  if (height <= riverBed) return height
  const bank = smoothStep(0.017, 0.11 + 0.22 * mountain, fromRiver)
  return riverBed + (height - riverBed) * bank
}

const limitHeight = (height: number): number => {
  const soft = height <= heightSoft ? height : heightSoft + (height - heightSoft) / 3
  return Math.min(heightMax, Math.max(heightMin, soft))
}

/** Writes the land at a place into `land`: continents and climate from noise of the plane. The origin is never far out at sea. */
export type LandShape = (x: number, z: number, land: Land) => void

/** The shape of one world's land. Costs about twenty noises per place, about a microsecond. */
export const createLandShape = (seed: SeedWords, settings: WorldgenConfig): LandShape => {
  const noises = createNoises(seed, settings)
  const { seaLevel, terrain, biomes } = settings

  const readCover = (x: number, z: number, land: Land) => {
    land.temperature = biomes.enabled ? noises.temperature(x, z) * 1.15 : 0
    land.humidity = biomes.enabled ? noises.humidity(x, z) * 1.15 : -0.1
    land.opening = noises.openings(x, z) - 0.45
    land.unevenness = noises.unevenness(x, z)
    land.patch = noises.patches(x, z)
  }

  return (x, z, land) => {
    const warp = noises.warp(x, z) * 26
    readCover(x, z, land)
    land.inland = noises.continent(x + warp, z - warp) * 1.25 + 0.15
    const rise = noises.rise(x, z)
    land.mountain = smoothStep(0.12, 0.55, rise) * smoothStep(0.02, 0.22, land.inland)
    const lowland = smoothStep(0.01, 0.08, land.inland) * (1 - smoothStep(0.3, 0.45, land.inland)) * (1 - land.mountain)
    land.swamp = biomes.enabled ? smoothStep(0.22, 0.36, land.humidity) * smoothStep(-0.25, -0.1, land.temperature) * lowland : 0

    const hilly = (1.2 + 9 * smoothStep(-0.35, 0.35, rise)) * smoothStep(-0.15, 0.12, land.inland) + 1.5
    const ridge = land.mountain > 0 ? noises.ridges(x, z) : 0
    let height = followLine(coastLine, land.inland) + noises.hills(x, z) * hilly + land.mountain * (6 + ridge * 92)
    if (land.swamp > 0) height += (noises.puddles(x, z) * 2.6 + 0.1 - height) * land.swamp
    height = cutRiver(height, Math.abs(noises.rivers(x + warp, z + warp)), land.mountain)
    land.height = limitHeight(seaLevel + 0.5 + height * terrain.amplitude)
  }
}
