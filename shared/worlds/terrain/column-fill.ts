import type { WorldgenConfig } from '../../configs/worldgen-config.ts'
import { chunkBlocks } from '../positions.ts'
import { createGround, type Ground, type ReadGround, unevennessMax } from './ground.ts'
import { latticeBlocks } from './interpolate.ts'
import type { LandLattice } from './land-lattice.ts'
import { createPlaceHash, type SeedWords } from './seeded-random.ts'
import type { TerrainBlocks } from './terrain-blocks.ts'

type ColumnFillDeps = {
  readonly seed: SeedWords
  readonly settings: WorldgenConfig
  readonly blocks: TerrainBlocks
  readonly readGround: ReadGround
}

/** Blocks of rock between a cave and the ground above it, or the water beside it. */
const roofBlocks = 5
const baseDepth = 3
const bedrockTop = 3
const layer = chunkBlocks * chunkBlocks

/** The lowest that the ground can be at a block of the lattice and at those next to it. */
export const findLowestGround = (lattice: LandLattice, x: number, z: number): number =>
  Math.floor(lattice.lowestAround(x, z)) - unevennessMax

/** The greatest height of a cave: where there may be water near, below all of that; on dry land below a roof, or up to the sky. */
export const findCaveTop = ({ y, isOpen }: Ground, lowestGround: number, seaLevel: number): number => {
  if (lowestGround <= seaLevel) return Math.min(lowestGround, y) - roofBlocks
  return isOpen ? y : y - roofBlocks
}

/** The column at block `x`, `z` to fill, in the order of `y * 256 + z * 16 + x`; `caveTops` is by place in the plane, `z * 16 + x`. */
export type Filling = {
  readonly lattice: LandLattice
  readonly x: number
  readonly z: number
  readonly column: Uint16Array
  readonly caveTops: Int16Array
}

/** Fills columns with all but ores, caves and plants, and writes down how high caves may reach. */
export const createColumnFill = ({ seed, settings: { seaLevel }, blocks, readGround }: ColumnFillDeps) => {
  const bedrockAt = createPlaceHash(seed, 50)
  const ground = createGround()

  const fillPlace = (column: Uint16Array, place: number, stoneFrom: number) => {
    const { y, top, filler, base, fillerDepth, isFrozen } = ground
    const put = (from: number, to: number, block: number) => {
      for (let at = from * layer + place; at <= to * layer + place; at += layer) column[at] = block
    }
    put(stoneFrom, y - fillerDepth - 1, blocks.stone)
    if (base !== blocks.stone) put(y - fillerDepth - baseDepth, y - fillerDepth - 1, base)
    put(y - fillerDepth, y - 1, filler)
    column[y * layer + place] = top
    put(y + 1, seaLevel, blocks.water)
    if (y < seaLevel && isFrozen) column[seaLevel * layer + place] = blocks.ice
  }
  const layBedrock = (column: Uint16Array, place: number, bits: number) => {
    column[place] = blocks.bedrock
    for (let y = 1; y <= bedrockTop; y += 1) if (((bits >>> (y * 4)) & 3) >= y) column[y * layer + place] = blocks.bedrock
  }
  const fillCell = ({ lattice, x, z, column, caveTops }: Filling, cell: { x: number; z: number }, stoneFrom: number) => {
    const lowest = findLowestGround(lattice, x + cell.x, z + cell.z)
    for (let dz = cell.z; dz < cell.z + latticeBlocks; dz += 1)
      for (let dx = cell.x; dx < cell.x + latticeBlocks; dx += 1) {
        const place = dz * chunkBlocks + dx
        readGround(lattice, x + dx, z + dz, ground)
        caveTops[place] = findCaveTop(ground, lowest, seaLevel)
        fillPlace(column, place, stoneFrom)
        layBedrock(column, place, bedrockAt(x + dx, z + dz))
      }
  }

  return (filling: Filling): void => {
    const { lattice, column } = filling
    const stoneFrom = Math.max(0, Math.floor(lattice.lowest()) - unevennessMax - 8)
    column.fill(blocks.stone, 0, stoneFrom * layer)
    column.fill(blocks.air, stoneFrom * layer)
    const cell = { x: 0, z: 0 }
    for (cell.z = 0; cell.z < chunkBlocks; cell.z += latticeBlocks)
      for (cell.x = 0; cell.x < chunkBlocks; cell.x += latticeBlocks) fillCell(filling, cell, stoneFrom)
  }
}
