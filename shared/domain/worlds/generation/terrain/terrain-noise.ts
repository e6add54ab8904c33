import { createNoise2D, createNoise3D, type NoiseFunction2D, type NoiseFunction3D } from 'simplex-noise'
import { createRandom, type SeedWords } from './seeded-random.ts'

/** A sum of octaves of plane noise, about -1…1. Each octave has half the width and weight of the previous one. */
export type PlaneNoise = (x: number, z: number) => number

const sumOctaves = (noise: NoiseFunction2D, octaves: number): PlaneNoise => {
  let total = 0
  for (let octave = 0, weight = 1; octave < octaves; octave += 1, weight /= 2) total += weight
  return (x, z) => {
    let sum = 0
    let weight = 1
    let frequency = 1
    for (let octave = 0; octave < octaves; octave += 1) {
      sum += noise(x * frequency, z * frequency) * weight
      weight /= 2
      frequency *= 2
    }
    return sum / total
  }
}

type PlaneOptions = { readonly stream: number; readonly octaves: number; readonly width: number; readonly centred?: boolean }

/** A noise with features of about `width` blocks. If centred, it is 0 at the origin. */
export const createPlaneNoise = (seed: SeedWords, { stream, octaves, width, centred = false }: PlaneOptions): PlaneNoise => {
  const random = createRandom(seed, stream)
  const sum = sumOctaves(createNoise2D(random), octaves)
  const shiftX = centred ? 0 : random() * 256
  const shiftZ = centred ? 0 : random() * 256
  return (x, z) => sum(x / width + shiftX, z / width + shiftZ)
}

/** Crests where the noise changes its sign: 1 on a crest, 0 far from any. */
export const createRidgeNoise = (seed: SeedWords, options: PlaneOptions): PlaneNoise => {
  const coarse = createPlaneNoise(seed, { ...options, octaves: 1 })
  const fine = createPlaneNoise(seed, {
    ...options,
    stream: options.stream + 1,
    octaves: options.octaves - 1,
    width: options.width / 2.2,
  })
  return (x, z) => {
    const main = 1 - Math.abs(coarse(x, z))
    return main * (0.75 + 0.25 * (1 - 2 * Math.abs(fine(x, z)))) * main
  }
}

/** A noise of space with features of `width` by `height` blocks. */
export const createSpaceNoise = (
  seed: SeedWords,
  { stream, width, height }: { readonly stream: number; readonly width: number; readonly height: number },
): NoiseFunction3D => {
  const random = createRandom(seed, stream)
  const noise = createNoise3D(random)
  const shift = random() * 256
  return (x, y, z) => noise(x / width + shift, y / height, z / width - shift)
}
