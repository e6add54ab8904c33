import { chunkBlocks } from '../../../../rules/positions.ts'
import type { WorldgenConfig } from '../worldgen-config.ts'
import { createGround, type Ground, type ReadGround, unevennessMax } from './ground.ts'
import { latticeBlocks } from './interpolate.ts'
import type { LandLattice } from './land-lattice.ts'
import { createPlaceHash, type SeedWords } from './seeded-random.ts'
import type { Column, TerrainBlocks } from './terrain-blocks.ts'

type ColumnFillDeps = {
  readonly seed: SeedWords
  readonly settings: WorldgenConfig
  readonly blocks: TerrainBlocks
  readonly readGround: ReadGround
}

/** The thickness of rock between a cave and the ground above it, or the water next to it. */
const roofBlocks = 5
const baseDepth = 3
const bedrockTop = 3
const layer = chunkBlocks * chunkBlocks

/** The lowest possible ground at a block and in the lattice cells around it. */
export const findLowestGround = (lattice: LandLattice, x: number, z: number): number =>
  Math.floor(lattice.lowestAround(x, z)) - unevennessMax

/** The maximum height of a cave: below all ground where water may be near; on dry land below a roof, or up to the sky. */
export const findCaveTop = ({ y, isOpen }: Ground, lowestGround: number, seaLevel: number): number => {
  if (lowestGround <= seaLevel) return Math.min(lowestGround, y) - roofBlocks
  return isOpen ? y : y - roofBlocks
}

/** The column at block `x`, `z` to fill, in the order of `y * 256 + z * 16 + x`. `caveTops` is by place, `z * 16 + x`. */
export type Filling = {
  readonly lattice: LandLattice
  readonly x: number
  readonly z: number
  readonly column: Column
  readonly caveTops: Int16Array
}

/**
 * Fills columns with everything but ores, caves and plants. Writes the maximum height of caves to `caveTops` and returns the height of
 * the highest block.
 */
export const createColumnFill = ({ seed, settings: { seaLevel }, blocks, readGround }: ColumnFillDeps) => {
  const bedrockAt = createPlaceHash(seed, 50)
  const ground = createGround()

  const fillPlace = (column: Column, place: number, stoneFrom: number) => {
    const { y, top, filler, base, fillerDepth, isFrozen } = ground
    const fillerFrom = y - fillerDepth
    const baseFrom = fillerFrom - baseDepth
    for (let at = stoneFrom; at < baseFrom; at += 1) column[at * layer + place] = blocks.stone
    for (let at = baseFrom; at < fillerFrom; at += 1) column[at * layer + place] = base
    for (let at = fillerFrom; at < y; at += 1) column[at * layer + place] = filler
    column[y * layer + place] = top
    for (let at = y + 1; at <= seaLevel; at += 1) column[at * layer + place] = blocks.water
    if (y < seaLevel && isFrozen) column[seaLevel * layer + place] = blocks.ice
  }
  const layBedrock = (column: Column, place: number, bits: number) => {
    column[place] = blocks.bedrock
    for (let y = 1; y <= bedrockTop; y += 1) if (((bits >>> (y * 4)) & 3) >= y) column[y * layer + place] = blocks.bedrock
  }
  const fillCell = ({ lattice, x, z, column, caveTops }: Filling, cell: { x: number; z: number }, stoneFrom: number) => {
    const lowest = findLowestGround(lattice, x + cell.x, z + cell.z)
    let highest = 0
    for (let dx = cell.x; dx < cell.x + latticeBlocks; dx += 1)
      for (let dz = cell.z; dz < cell.z + latticeBlocks; dz += 1) {
        const place = dz * chunkBlocks + dx
        readGround(lattice, x + dx, z + dz, ground)
        caveTops[place] = findCaveTop(ground, lowest, seaLevel)
        highest = Math.max(highest, ground.y)
        fillPlace(column, place, stoneFrom)
        layBedrock(column, place, bedrockAt(x + dx, z + dz))
      }
    return highest
  }

  return (filling: Filling): number => {
    const { lattice, column } = filling
    const stoneFrom = Math.max(0, Math.floor(lattice.lowest()) - unevennessMax - 8)
    column.fill(blocks.stone, 0, stoneFrom * layer)
    column.fill(blocks.air, stoneFrom * layer)
    const cell = { x: 0, z: 0 }
    let highest = seaLevel
    for (cell.z = 0; cell.z < chunkBlocks; cell.z += latticeBlocks)
      for (cell.x = 0; cell.x < chunkBlocks; cell.x += latticeBlocks)
        highest = Math.max(highest, fillCell(filling, cell, stoneFrom))
    return highest
  }
}
