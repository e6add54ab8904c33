import { chunkBlocks, worldHeight } from '../../../../rules/positions.ts'
import type { Column, TerrainBlocks } from './terrain-blocks.ts'

/** What grows. */
export type PlantKind = 'oak' | 'birch' | 'spruce' | 'broad-oak' | 'cactus'

/** Blocks from the trunk that a crown reaches, at the most. */
export const plantReach = 3

/** Blocks of the highest plant, its crown included. */
export const plantHeight = 10

/** A plant: what it is, the lowest block of its trunk in coordinates of the column, which may be outside, and 32 bits of chance. */
export type Plant = {
  readonly kind: PlantKind
  readonly x: number
  readonly y: number
  readonly z: number
  readonly bits: number
}

type Wood = { readonly log: number; readonly leaves: number }

/** Radius of a crown by how far below its top. */
const crowns = {
  oak: [1, 1, 2, 2],
  birch: [1, 1, 2, 2],
  'broad-oak': [2, 3],
  spruce: [0, 1, 2, 1, 2, 3],
} as const

const trunkMin = { oak: 4, birch: 5, spruce: 7, 'broad-oak': 5, cactus: 1 } as const

const heightOf = ({ kind, bits }: Plant): number => trunkMin[kind] + (bits & 1) + ((bits >>> 1) & 1)

/**
 * Puts plants into a column (in order of `y * 256 + z * 16 + x`), as much of each as stands in it. Wood replaces leaves, leaves replace only air. Columns that are given the same plants in the same order fit together at their borders.
 */
export const createPlanter = (blocks: TerrainBlocks) => {
  const woods: Record<Exclude<PlantKind, 'cactus'>, Wood> = {
    oak: { log: blocks.oak_log, leaves: blocks.oak_leaves },
    'broad-oak': { log: blocks.oak_log, leaves: blocks.oak_leaves },
    birch: { log: blocks.birch_log, leaves: blocks.birch_leaves },
    spruce: { log: blocks.spruce_log, leaves: blocks.spruce_leaves },
  }
  const isLeaves = (block: number): boolean =>
    block === blocks.oak_leaves || block === blocks.birch_leaves || block === blocks.spruce_leaves

  const growTrunk = (column: Column, { x, y, z }: Plant, top: number, block: number) => {
    if (x < 0 || x >= chunkBlocks || z < 0 || z >= chunkBlocks) return
    for (let up = y; up < top; up += 1) {
      const at = (up * chunkBlocks + z) * chunkBlocks + x
      const there = column[at] ?? 0
      if (there === blocks.air || isLeaves(there)) column[at] = block
    }
  }
  const growLayer = (column: Column, plant: Plant, { y, radius, block }: { y: number; radius: number; block: number }) => {
    for (let z = Math.max(0, plant.z - radius); z <= Math.min(chunkBlocks - 1, plant.z + radius); z += 1)
      for (let x = Math.max(0, plant.x - radius); x <= Math.min(chunkBlocks - 1, plant.x + radius); x += 1) {
        const isCorner = radius > 0 && Math.abs(x - plant.x) === radius && Math.abs(z - plant.z) === radius
        const corner = (y & 3) * 4 + (x > plant.x ? 1 : 0) + (z > plant.z ? 2 : 0)
        // Some corners are missing, so that no two crowns are the same.
        if (isCorner && (radius !== 2 || ((plant.bits >>> corner) & 3) !== 0)) continue
        const at = (y * chunkBlocks + z) * chunkBlocks + x
        if (column[at] === blocks.air) column[at] = block
      }
  }

  return (column: Column, plant: Plant): void => {
    const top = Math.min(plant.y + heightOf(plant), worldHeight - 1)
    if (plant.kind === 'cactus') {
      growTrunk(column, plant, top, blocks.cactus)
      return
    }
    const { log, leaves } = woods[plant.kind]
    for (const [below, radius] of crowns[plant.kind].entries())
      growLayer(column, plant, { y: top - below, radius, block: leaves })
    growTrunk(column, plant, top, log)
  }
}
