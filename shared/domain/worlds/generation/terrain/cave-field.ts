import { worldHeight } from '../../../../rules/positions.ts'
import { interpolatePlane, latticeBlocks, type PlaneCell } from './interpolate.ts'
import type { SeedWords } from './seeded-random.ts'
import { createSpaceNoise } from './terrain-noise.ts'

/** The height of a cell of the cave lattice. Caves are long rather than high. */
export const caveCellHeight = 8

/** Hollows by noise: tunnels where two noises are both near 0, and halls where the first one is high. */
export type CaveField = {
  /** The noises at a lattice point. */
  readonly first: (x: number, y: number, z: number) => number
  readonly second: (x: number, y: number, z: number) => number
  /** By height: a block is hollow if the squares of both noises add up to less. */
  readonly tunnels: Float64Array
  /** By height: a block is hollow if the first noise is higher. */
  readonly halls: Float64Array
}

/** The caves of one world. Towards the top, tunnels get narrower and halls rarer. */
export const createCaveField = (seed: SeedWords, width: number): CaveField => ({
  first: createSpaceNoise(seed, { stream: 30, width: 70, height: 44 }),
  second: createSpaceNoise(seed, { stream: 31, width: 70, height: 44 }),
  tunnels: Float64Array.from({ length: worldHeight }, (_, y) => Math.max(0.5, 1.55 - y / 130) * 0.0125 * width * width),
  halls: Float64Array.from({ length: worldHeight }, (_, y) => 0.9 - 0.18 * Math.min(1, width) + y / 260),
})

/** Whether a single block is hollow. Uses the same steps as for a whole column, so the result is the same. */
export const createHollowTest = ({
  first,
  second,
  tunnels,
  halls,
}: CaveField): ((x: number, y: number, z: number) => boolean) => {
  const firsts = new Float64Array(8)
  const seconds = new Float64Array(8)
  const cell: PlaneCell = { at: 0, strideZ: 2, partX: 0, partZ: 0 }

  const interpolate = (values: Float64Array, partY: number): number => {
    cell.at = 0
    const low = interpolatePlane(values, cell)
    cell.at = 4
    return low + (interpolatePlane(values, cell) - low) * partY
  }

  return (x, y, z) => {
    const left = Math.floor(x / latticeBlocks) * latticeBlocks
    const low = Math.floor(y / caveCellHeight) * caveCellHeight
    const near = Math.floor(z / latticeBlocks) * latticeBlocks
    for (let corner = 0; corner < 8; corner += 1) {
      const atX = left + (corner & 1) * latticeBlocks
      const atZ = near + ((corner >> 1) & 1) * latticeBlocks
      const atY = low + (corner >> 2) * caveCellHeight
      firsts[corner] = first(atX, atY, atZ)
      seconds[corner] = second(atX, atY, atZ)
    }
    cell.partX = (x - left) / latticeBlocks
    cell.partZ = (z - near) / latticeBlocks
    const partY = (y - low) / caveCellHeight
    const one = interpolate(firsts, partY)
    const other = interpolate(seconds, partY)
    return one * one + other * other < (tunnels[y] ?? 0) || one > (halls[y] ?? 1)
  }
}
