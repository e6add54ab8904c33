import { latticeBlocks } from './interpolate.ts'
import type { Land, LandShape } from './land-shape.ts'

/** A square of lattice points. The land is computed once for each point and interpolated for the blocks between. */
export type LandLattice = {
  /** Computes the points starting at block `x`, `z`; both are multiples of `latticeBlocks`. */
  move(x: number, z: number): void
  /** Writes the land at a block within the square. Cheaper if the previous block had the same `x`. */
  read(x: number, z: number, land: Land): void
  /** The lowest ground at the corners of the block's cell and the cells around it, which must be in the square. */
  lowestAround(x: number, z: number): number
  /** The lowest ground of all points. */
  lowest(): number
  /** The slope: blocks up or down per block across. */
  steepness(x: number, z: number): number
}

/** Converts a distance in blocks: the shift to points, and the mask of the rest. */
const latticeBits = 2
const latticeMask = latticeBlocks - 1

/** A Land value to write into. */
export const createLand = (): Land => ({
  height: 0,
  inland: 0,
  mountain: 0,
  swamp: 0,
  temperature: 0,
  humidity: 0,
  opening: 0,
  unevenness: 0,
  patch: 0,
})

/** The number of values per point. The height is the first. */
const fields = 9

const writePoint = (values: Float64Array, at: number, land: Land): void => {
  values[at] = land.height
  values[at + 1] = land.inland
  values[at + 2] = land.mountain
  values[at + 3] = land.swamp
  values[at + 4] = land.temperature
  values[at + 5] = land.humidity
  values[at + 6] = land.opening
  values[at + 7] = land.unevenness
  values[at + 8] = land.patch
}

/** Interpolates between two neighbouring points. */
const between = (ends: Float64Array, field: number, part: number): number => {
  const near = ends[field] ?? 0
  return near + ((ends[field + fields] ?? 0) - near) * part
}

/** A lattice of `points` by `points`. Each move reuses its memory. */
export const createLandLattice = (shape: LandShape, points: number): LandLattice => {
  const values = new Float64Array(points * points * fields)
  const stride = points * fields
  const sample = createLand()
  /** The land on the near and the far side of a cell, at the last `x`. */
  const ends = new Float64Array(2 * fields)
  let endsOf = -1
  let left = 0
  let front = 0

  const findPoint = (x: number, z: number): number => ((z - front) >> latticeBits) * stride + ((x - left) >> latticeBits) * fields
  const heightAt = (at: number): number => values[at] ?? 0
  const findEnds = (at: number, part: number) => {
    for (let field = 0; field < fields; field += 1) {
      const near = values[at + field] ?? 0
      const far = values[at + stride + field] ?? 0
      ends[field] = near + ((values[at + fields + field] ?? 0) - near) * part
      ends[field + fields] = far + ((values[at + stride + fields + field] ?? 0) - far) * part
    }
  }

  return {
    move: (x, z) => {
      left = x
      front = z
      endsOf = -1
      let at = 0
      for (let row = 0; row < points; row += 1)
        for (let place = 0; place < points; place += 1) {
          shape(x + place * latticeBlocks, z + row * latticeBlocks, sample)
          writePoint(values, at, sample)
          at += fields
        }
    },
    read: (x, z, land) => {
      const at = findPoint(x, z)
      const partX = (x - left) & latticeMask
      const key = at * latticeBlocks + partX
      if (key !== endsOf) findEnds(at, partX / latticeBlocks)
      endsOf = key
      const part = ((z - front) & latticeMask) / latticeBlocks
      land.height = between(ends, 0, part)
      land.inland = between(ends, 1, part)
      land.mountain = between(ends, 2, part)
      land.swamp = between(ends, 3, part)
      land.temperature = between(ends, 4, part)
      land.humidity = between(ends, 5, part)
      land.opening = between(ends, 6, part)
      land.unevenness = between(ends, 7, part)
      land.patch = between(ends, 8, part)
    },
    lowestAround: (x, z) => {
      const at = findPoint(x, z)
      let lowest = heightAt(at)
      for (let row = -1; row <= 2; row += 1)
        for (let place = -1; place <= 2; place += 1) lowest = Math.min(lowest, heightAt(at + row * stride + place * fields))
      return lowest
    },
    lowest: () => {
      let lowest = heightAt(0)
      for (let at = fields; at < values.length; at += fields) lowest = Math.min(lowest, heightAt(at))
      return lowest
    },
    steepness: (x, z) => {
      const at = findPoint(x, z)
      const a = heightAt(at)
      const b = heightAt(at + fields)
      const c = heightAt(at + stride)
      const twist = heightAt(at + stride + fields) - c - b + a
      const acrossX = b - a + (twist * ((z - front) & latticeMask)) / latticeBlocks
      const acrossZ = c - a + (twist * ((x - left) & latticeMask)) / latticeBlocks
      return Math.sqrt(acrossX * acrossX + acrossZ * acrossZ) / latticeBlocks
    },
  }
}
