import { chunkBlocks, worldHeight } from '../../../../rules/positions.ts'
import type { Column, TerrainBlocks } from './terrain-blocks.ts'

export type PlantKind = 'oak' | 'birch' | 'spruce' | 'broad-oak' | 'cactus'

/** The maximum reach of a crown from the trunk, in blocks. */
export const plantReach = 3

/** The height of the tallest plant with its crown, in blocks. */
export const plantHeight = 10

/** A plant: its kind, the lowest block of its trunk in column coordinates (possibly outside), and 32 random bits. */
export type Plant = {
  readonly kind: PlantKind
  readonly x: number
  readonly y: number
  readonly z: number
  readonly bits: number
}

type Wood = { readonly log: number; readonly leaves: number }

/** The radius of a crown by the distance from its top. */
const crowns = {
  oak: [1, 1, 2, 2],
  birch: [1, 1, 2, 2],
  'broad-oak': [2, 3],
  spruce: [0, 1, 2, 1, 2, 3],
} as const

const trunkMin = { oak: 4, birch: 5, spruce: 7, 'broad-oak': 5, cactus: 1 } as const

const heightOf = ({ kind, bits }: Plant): number => trunkMin[kind] + (bits & 1) + ((bits >>> 1) & 1)

/**
 * Returns a function that places the part of a plant within the column (in order of `y * 256 + z * 16 + x`). Wood replaces leaves;
 * leaves replace only air. Neighbouring columns fit together if they get the same plants in the same order.
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
      const current = column[at] ?? 0
      if (current === blocks.air || isLeaves(current)) column[at] = block
    }
  }
  const growLayer = (column: Column, plant: Plant, { y, radius, block }: { y: number; radius: number; block: number }) => {
    for (let z = Math.max(0, plant.z - radius); z <= Math.min(chunkBlocks - 1, plant.z + radius); z += 1)
      for (let x = Math.max(0, plant.x - radius); x <= Math.min(chunkBlocks - 1, plant.x + radius); x += 1) {
        const isCorner = radius > 0 && Math.abs(x - plant.x) === radius && Math.abs(z - plant.z) === radius
        const corner = (y & 3) * 4 + (x > plant.x ? 1 : 0) + (z > plant.z ? 2 : 0)
        // Some corners are missing, so that crowns differ.
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
