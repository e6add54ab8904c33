import { interpolatePlane, latticeBlocks } from './interpolate.ts'
import type { Land, LandShape } from './land-shape.ts'

/** A square of lattice points whose land is computed once, and interpolated for each block between. */
export type LandLattice = {
  /** Computes the points from the one at block `x`, `z` on; both are multiples of `latticeBlocks`. */
  move(x: number, z: number): void
  /** Writes what the land is like at a block within the square. */
  read(x: number, z: number, land: Land): void
  /** The lowest ground at the corners of the block's cell and of those around it; the square must reach as far. */
  lowestAround(x: number, z: number): number
  /** The lowest ground of all points. */
  lowest(): number
  /** Blocks up or down for each block across. */
  steepness(x: number, z: number): number
}

const fields = ['height', 'inland', 'mountain', 'swamp', 'temperature', 'humidity', 'opening'] as const satisfies (keyof Land)[]

/** Land to write into. */
export const createLand = (): Land => ({
  height: 0,
  inland: 0,
  mountain: 0,
  swamp: 0,
  temperature: 0,
  humidity: 0,
  opening: 0,
})

/** A lattice of `points` by `points`, whose memory is used again with each move. */
export const createLandLattice = (shape: LandShape, points: number): LandLattice => {
  const columns = fields.map((field) => ({ field, values: new Float64Array(points * points) }))
  const heights = columns.find(({ field }) => field === 'height')?.values ?? new Float64Array(0)
  const sample = createLand()
  const cell = { at: 0, strideZ: points, partX: 0, partZ: 0 }
  let left = 0
  let near = 0

  const locate = (x: number, z: number) => {
    const cellX = Math.floor((x - left) / latticeBlocks)
    const cellZ = Math.floor((z - near) / latticeBlocks)
    cell.at = cellZ * points + cellX
    cell.partX = (x - left) / latticeBlocks - cellX
    cell.partZ = (z - near) / latticeBlocks - cellZ
  }
  const samplePoint = (at: number, x: number, z: number) => {
    shape(x, z, sample)
    for (const { field, values } of columns) values[at] = sample[field]
  }

  return {
    move: (x, z) => {
      left = x
      near = z
      for (let row = 0; row < points; row += 1)
        for (let place = 0; place < points; place += 1)
          samplePoint(row * points + place, x + place * latticeBlocks, z + row * latticeBlocks)
    },
    read: (x, z, land) => {
      locate(x, z)
      for (const { field, values } of columns) land[field] = interpolatePlane(values, cell)
    },
    lowestAround: (x, z) => {
      locate(x, z)
      let lowest = Number.POSITIVE_INFINITY
      for (let row = -1; row <= 2; row += 1)
        for (let place = -1; place <= 2; place += 1) lowest = Math.min(lowest, heights[cell.at + row * points + place] ?? 0)
      return lowest
    },
    lowest: () => heights.reduce((lowest, height) => Math.min(lowest, height), Number.POSITIVE_INFINITY),
    steepness: (x, z) => {
      locate(x, z)
      const at = cell.at
      const a = heights[at] ?? 0
      const b = heights[at + 1] ?? 0
      const c = heights[at + points] ?? 0
      const d = heights[at + points + 1] ?? 0
      const acrossX = b - a + (d - c - b + a) * cell.partZ
      const acrossZ = c - a + (d - c - b + a) * cell.partX
      return Math.sqrt(acrossX * acrossX + acrossZ * acrossZ) / latticeBlocks
    },
  }
}
