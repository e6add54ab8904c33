import { chunkBlocks, worldHeight } from '../../../../rules/positions.ts'
import type { WorldgenConfig } from '../worldgen-config.ts'
import { interpolateLine, interpolatePlane, latticeBlocks, type PlaneCell } from './interpolate.ts'
import type { SeedWords } from './seeded-random.ts'
import type { Column, TerrainBlocks } from './terrain-blocks.ts'
import { createSpaceNoise } from './terrain-noise.ts'

/** The height of a cell of the cave lattice. Caves are long rather than high. */
const caveCellHeight = 8

/** Hollows by noise: tunnels where two noises are both near 0, and halls where the first one is high. */
type CaveField = {
  /** The noises at a lattice point. */
  readonly first: (x: number, y: number, z: number) => number
  readonly second: (x: number, y: number, z: number) => number
  /** By height: a block is hollow if the squares of both noises add up to less. */
  readonly tunnels: Float64Array
  /** By height: a block is hollow if the first noise is higher. */
  readonly halls: Float64Array
}

/** The caves of one world. Towards the top, tunnels get narrower and halls rarer. */
const createCaveField = (seed: SeedWords, width: number): CaveField => ({
  first: createSpaceNoise(seed, { stream: 30, width: 70, height: 44 }),
  second: createSpaceNoise(seed, { stream: 31, width: 70, height: 44 }),
  tunnels: Float64Array.from({ length: worldHeight }, (_, y) => Math.max(0.5, 1.55 - y / 130) * 0.0125 * width * width),
  halls: Float64Array.from({ length: worldHeight }, (_, y) => 0.9 - 0.18 * Math.min(1, width) + y / 260),
})

/** Whether a single block is hollow. Uses the same steps as for a whole column, so the result is the same. */
const createHollowTest = ({ first, second, tunnels, halls }: CaveField): ((x: number, y: number, z: number) => boolean) => {
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

export type Caves = {
  /**
   * Carves caves into the column whose first block is at `x`, `z`. `tops` has the maximum height of caves for each place (`z * 16 +
   * x`).
   */
  carve(x: number, z: number, tops: Int16Array, column: Column): void
  /** Whether a block is hollow if `tops` allows it. The result is the same as in the column. */
  isHollow(x: number, y: number, z: number): boolean
}

/** The lowest block of a cave, and the highest block that lava fills. */
const caveFloor = 5
const lavaTop = 10

const points = chunkBlocks / latticeBlocks + 1
const level = points * points
const layer = chunkBlocks * chunkBlocks
const corners = [0, 1, points, points + 1, level, level + 1, level + points, level + points + 1] as const

/** The starts of the four edges of a cell along `x`. */
const edges = [0, points, level, level + points] as const

/** The value nearest to 0 and the highest value within a cell. Both are bounded by the values at its corners. */
const nearestToZero = (values: Float64Array, at: number): number => {
  let lowest = values[at] ?? 0
  let highest = lowest
  for (let corner = 1; corner < corners.length; corner += 1) {
    const value = values[at + (corners[corner] ?? 0)] ?? 0
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  if (lowest > 0) return lowest
  return highest < 0 ? -highest : 0
}
const greatest = (values: Float64Array, at: number): number => {
  let highest = values[at] ?? 0
  for (let corner = 1; corner < corners.length; corner += 1) highest = Math.max(highest, values[at + (corners[corner] ?? 0)] ?? 0)
  return highest
}

/** The least distance from 0 between two numbers. */
const nearerToZero = (one: number, other: number): number =>
  one > 0 === other > 0 ? Math.min(Math.abs(one), Math.abs(other)) : 0

const noCaves: Caves = { carve: () => undefined, isHollow: () => false }

/** The caves of one world. Reuses its memory, so use it in one thread. */
export const createCaves = (seed: SeedWords, { caves }: WorldgenConfig, blocks: TerrainBlocks): Caves => {
  if (!caves.enabled || caves.width === 0) return noCaves
  const field = createCaveField(seed, caves.width)
  const { tunnels, halls } = field
  const isHollow = createHollowTest(field)
  const firsts = new Float64Array(level * (worldHeight / caveCellHeight + 1))
  const seconds = new Float64Array(firsts.length)
  const edgeFirsts = new Float64Array(4)
  const edgeSeconds = new Float64Array(4)
  const cell = { at: 0, x: 0, y: 0, z: 0 }

  const sampleFirsts = (x: number, z: number, top: number) => {
    let at = 0
    for (let y = 0; y <= top + caveCellHeight; y += caveCellHeight)
      for (let row = 0; row < points; row += 1)
        for (let place = 0; place < points; place += 1) {
          firsts[at] = field.first(x + place * latticeBlocks, y, z + row * latticeBlocks)
          seconds[at] = Number.NaN
          at += 1
        }
  }
  /** Samples the second noise only around the few cells where the first one allows a hollow. */
  const sampleSeconds = (x: number, z: number) => {
    for (let corner = 0; corner < corners.length; corner += 1) {
      const at = cell.at + (corners[corner] ?? 0)
      if (!Number.isNaN(seconds[at])) continue
      const place = at % level
      const atX = x + (place % points) * latticeBlocks
      const atZ = z + Math.floor(place / points) * latticeBlocks
      seconds[at] = field.second(atX, ((at - place) / level) * caveCellHeight, atZ)
    }
  }
  const isSolidCell = (x: number, z: number): boolean => {
    const tunnel = tunnels[cell.y] ?? 0
    const first = nearestToZero(firsts, cell.at)
    const isHall = greatest(firsts, cell.at) > (halls[cell.y] ?? 1)
    if (first * first >= tunnel && !isHall) return true
    sampleSeconds(x, z)
    const second = nearestToZero(seconds, cell.at)
    return first * first + second * second >= tunnel && !isHall
  }
  const isSolidLine = (first: number, firstHigh: number, second: number, secondHigh: number): boolean => {
    const one = nearerToZero(first, firstHigh)
    const other = nearerToZero(second, secondHigh)
    return one * one + other * other >= (tunnels[cell.y] ?? 0) && Math.max(first, firstHigh) <= (halls[cell.y] ?? 1)
  }
  const carveCell = (tops: Int16Array, column: Column) => {
    for (let dx = 0; dx < latticeBlocks; dx += 1) {
      for (let corner = 0; corner < 4; corner += 1) {
        const at = cell.at + (edges[corner] ?? 0)
        edgeFirsts[corner] = interpolateLine(firsts, at, dx / latticeBlocks)
        edgeSeconds[corner] = interpolateLine(seconds, at, dx / latticeBlocks)
      }
      for (let dz = 0; dz < latticeBlocks; dz += 1) {
        const place = (cell.z + dz) * chunkBlocks + cell.x + dx
        const top = Math.min(tops[place] ?? 0, cell.y + caveCellHeight - 1)
        const first = interpolateLine(edgeFirsts, 0, dz / latticeBlocks)
        const firstHigh = interpolateLine(edgeFirsts, 2, dz / latticeBlocks)
        const second = interpolateLine(edgeSeconds, 0, dz / latticeBlocks)
        const secondHigh = interpolateLine(edgeSeconds, 2, dz / latticeBlocks)
        if (isSolidLine(first, firstHigh, second, secondHigh)) continue
        for (let y = Math.max(cell.y, caveFloor); y <= top; y += 1) {
          const part = (y - cell.y) / caveCellHeight
          const one = first + (firstHigh - first) * part
          const other = second + (secondHigh - second) * part
          if (one * one + other * other < (tunnels[y] ?? 0) || one > (halls[y] ?? 1))
            column[y * layer + place] = y <= lavaTop ? blocks.lava : blocks.air
        }
      }
    }
  }

  return {
    carve: (x, z, tops, column) => {
      let top = 0
      for (const height of tops) top = Math.max(top, height)
      sampleFirsts(x, z, top)
      for (cell.y = 0; cell.y <= top; cell.y += caveCellHeight)
        for (cell.z = 0; cell.z < chunkBlocks; cell.z += latticeBlocks)
          for (cell.x = 0; cell.x < chunkBlocks; cell.x += latticeBlocks) {
            cell.at = (cell.y / caveCellHeight) * level + (cell.z * points + cell.x) / latticeBlocks
            if (!isSolidCell(x, z)) carveCell(tops, column)
          }
    },
    isHollow: (x, y, z) => y >= caveFloor && isHollow(x, y, z),
  }
}
