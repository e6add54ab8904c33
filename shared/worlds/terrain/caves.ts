import type { WorldgenConfig } from '../../configs/worldgen-config.ts'
import { chunkBlocks, worldHeight } from '../positions.ts'
import { interpolateSpace, latticeBlocks } from './interpolate.ts'
import type { SeedWords } from './seeded-random.ts'
import type { TerrainBlocks } from './terrain-blocks.ts'
import { createSpaceNoise } from './terrain-noise.ts'

/** What is hollow under the ground: tunnels where two noises are near 0 at once, and halls where one is great. */
export type Caves = {
  /** Hollows out a column whose first block is at `x`, `z`; `tops` has for each place (`z * 16 + x`) the greatest height to do so. */
  carve(x: number, z: number, tops: Int16Array, column: Uint16Array): void
  /** Whether there is a hollow, wherever the ground lets it be: the same answer as in the column. */
  isHollow(x: number, y: number, z: number): boolean
}

/** The lowest block of a cave, and the highest that lava fills. */
const caveFloor = 5
const lavaTop = 10

const cells = chunkBlocks / latticeBlocks
const rows = cells + 1
const strides = { z: rows, y: rows * rows }
const pointStrides = { z: 2, y: 4 }

const toLattice = (value: number): number => Math.floor(value / latticeBlocks) * latticeBlocks

const tunnelReach = (y: number, width: number): number => Math.max(0.5, 1.55 - y / 130) * 0.0125 * width * width
const hallReach = (y: number, width: number): number => 0.9 - 0.18 * Math.min(1, width) + y / 260

/** Whether nothing between these eight corners can come nearer to 0 than `reach`. */
const staysAway = (values: Float64Array, at: number, reach: number): boolean => {
  const first = (values[at] ?? 0) > 0 ? 1 : -1
  for (const corner of corners) if ((values[at + corner] ?? 0) * first <= reach) return false
  return true
}

const corners = [0, 1, strides.z, strides.z + 1, strides.y, strides.y + 1, strides.y + strides.z, strides.y + strides.z + 1]

const staysBelow = (values: Float64Array, at: number, reach: number): boolean => {
  for (const corner of corners) if ((values[at + corner] ?? 0) > reach) return false
  return true
}

/** The caves of one world; for one thread, since it uses its memory again. */
export const createCaves = (seed: SeedWords, { caves: { width, enabled } }: WorldgenConfig, blocks: TerrainBlocks): Caves => {
  const first = createSpaceNoise(seed, { stream: 30, width: 58, height: 36 })
  const second = createSpaceNoise(seed, { stream: 31, width: 58, height: 36 })
  const size = strides.y * (worldHeight / latticeBlocks + 1)
  const firsts = new Float64Array(size)
  const seconds = new Float64Array(size)
  const cornerFirsts = new Float64Array(8)
  const cornerSeconds = new Float64Array(8)
  const parts = { x: 0, y: 0, z: 0 }
  const none = !enabled || width === 0

  const sampleUpTo = (x: number, z: number, top: number) => {
    for (let level = 1; level * latticeBlocks <= top + latticeBlocks; level += 1)
      for (let row = 0; row < rows; row += 1)
        for (let place = 0; place < rows; place += 1) {
          const at = level * strides.y + row * rows + place
          firsts[at] = first(x + place * latticeBlocks, level * latticeBlocks, z + row * latticeBlocks)
          seconds[at] = second(x + place * latticeBlocks, level * latticeBlocks, z + row * latticeBlocks)
        }
  }
  const isWithin = (one: number, other: number, y: number): boolean =>
    one * one + other * other < tunnelReach(y, width) || one > hallReach(y, width)

  const carveCell = (cell: { at: number; x: number; y: number; z: number }, tops: Int16Array, column: Uint16Array) => {
    for (let dz = 0; dz < latticeBlocks; dz += 1)
      for (let dx = 0; dx < latticeBlocks; dx += 1) {
        const place = (cell.z + dz) * chunkBlocks + cell.x + dx
        const top = Math.min(tops[place] ?? 0, cell.y + latticeBlocks - 1)
        parts.x = dx / latticeBlocks
        parts.z = dz / latticeBlocks
        for (let y = Math.max(cell.y, caveFloor); y <= top; y += 1) {
          parts.y = (y - cell.y) / latticeBlocks
          const one = interpolateSpace(firsts, cell.at, strides, parts)
          const other = interpolateSpace(seconds, cell.at, strides, parts)
          if (isWithin(one, other, y)) column[y * chunkBlocks * chunkBlocks + place] = y <= lavaTop ? blocks.lava : blocks.air
        }
      }
  }
  const isSolidCell = (at: number, y: number): boolean => {
    const reach = Math.sqrt(tunnelReach(y, width))
    return (staysAway(firsts, at, reach) || staysAway(seconds, at, reach)) && staysBelow(firsts, at, hallReach(y, width))
  }
  const cell = { at: 0, x: 0, y: 0, z: 0 }

  return {
    carve: (x, z, tops, column) => {
      if (none) return
      const top = tops.reduce((highest, height) => Math.max(highest, height), 0)
      sampleUpTo(x, z, top)
      for (cell.y = latticeBlocks; cell.y <= top; cell.y += latticeBlocks)
        for (cell.z = 0; cell.z < chunkBlocks; cell.z += latticeBlocks)
          for (cell.x = 0; cell.x < chunkBlocks; cell.x += latticeBlocks) {
            cell.at = (cell.y * strides.y + cell.z * rows + cell.x) / latticeBlocks
            if (!isSolidCell(cell.at, cell.y)) carveCell(cell, tops, column)
          }
    },
    isHollow: (x, y, z) => {
      if (none || y < caveFloor) return false
      const left = toLattice(x)
      const low = toLattice(y)
      const near = toLattice(z)
      for (let corner = 0; corner < 8; corner += 1) {
        const atX = left + (corner & 1) * latticeBlocks
        const atZ = near + ((corner >> 1) & 1) * latticeBlocks
        const atY = low + (corner >> 2) * latticeBlocks
        cornerFirsts[corner] = first(atX, atY, atZ)
        cornerSeconds[corner] = second(atX, atY, atZ)
      }
      parts.x = (x - left) / latticeBlocks
      parts.y = (y - low) / latticeBlocks
      parts.z = (z - near) / latticeBlocks
      const one = interpolateSpace(cornerFirsts, 0, pointStrides, parts)
      return isWithin(one, interpolateSpace(cornerSeconds, 0, pointStrides, parts), y)
    },
  }
}
